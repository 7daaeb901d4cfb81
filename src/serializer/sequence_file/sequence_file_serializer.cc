#include "serializer/sequence_file/sequence_file_serializer.h"

#include <charconv>

#include "config/nearest_name.h"
#include "serializer/sync_marker.h"

namespace millrace {
namespace {

constexpr std::string_view kTimestamp = "timestamp";
constexpr std::string_view kPackage = "org.apache.flume.sink.hdfs.";

// As Java's Long.valueOf() takes it.
Result<std::int64_t> to_time(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('+') ? 1 : 0);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool twice_signed = digits.size() < text.size() && digits.starts_with('-');
  if (error != std::errc() || end != digits.data() + digits.size() || twice_signed) {
    return rejected("its header timestamp is no number, which the key of a SequenceFile has to be");
  }
  return value;
}

}  // namespace

Result<SequenceValue> write_format_named(std::string_view name) {
  std::string_view bare = name;
  if (bare.starts_with(kPackage)) {
    bare.remove_prefix(kPackage.size());
  }
  if (bare == "Writable" || bare == "HDFSWritableSerializer$Builder") {
    return SequenceValue::kWritable;
  }
  if (bare == "Text" || bare == "HDFSTextSerializer$Builder") {
    return SequenceValue::kText;
  }
  const std::string hint = did_you_mean(nearest_name(name, {"Writable", "Text"}));
  return bad_config("expected Writable or Text" + (hint.empty() ? "" : ", " + hint));
}

Result<> SequenceFileSerializer::check(const EventRef& event) {
  if (event.body_size > SequenceFileWriter::kMostBodyBytes) {
    return rejected("its body is too large for a SequenceFile");
  }
  const auto timestamp = event.headers().find(kTimestamp);
  return timestamp ? to_time(*timestamp).ok() ? Result<>() : to_time(*timestamp).error()
                   : Result<>();
}

Result<> SequenceFileSerializer::begin(std::string& out) {
  writer_.begin(random_sync_marker(), out);
  return {};
}

// A run of events often shares its headers.
Result<> SequenceFileSerializer::append(const EventBatch& batch, std::string& out) {
  const std::int64_t now = clock_.wall_ms();
  const char* block = nullptr;
  std::int64_t key = now;
  for (const EventRef& event : batch) {
    if (event.headers_data != block) {
      block = event.headers_data;
      const auto timestamp = event.headers().find(kTimestamp);
      key = timestamp ? TRY(to_time(*timestamp)) : now;
    }
    TRY(writer_.append(key, event.body(), out));
  }
  return {};
}

}  // namespace millrace
