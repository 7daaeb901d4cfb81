#include "cli/channel/event_output.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/bytes.h"
#include "cli/times.h"
#include "config/utf8.h"
#include "core/event_batch.h"
#include "serializer/avro_container_writer.h"
#include "serializer/sync_marker.h"
#include "web/json_text.h"

namespace millrace {
namespace {

constexpr std::size_t kPassOnBytes = 64 * 1024;

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view part = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < part.size() ? static_cast<unsigned char>(part[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= part.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

class JsonOutput final : public EventOutput {
 public:
  explicit JsonOutput(OutputTarget target) : target_(std::move(target)) {}
  Result<> write(const ChannelEvent& event) override {
    return target_.append(json_line(event) + "\n");
  }
  Result<> finish() override { return target_.finish(); }

 private:
  OutputTarget target_;
};

class AvroOutput final : public EventOutput {
 public:
  explicit AvroOutput(OutputTarget target) : target_(std::move(target)), writer_({}) {}

  Result<> begin() {
    writer_.begin(random_sync_marker(), out_);
    return pass_on();
  }
  Result<> write(const ChannelEvent& event) override {
    const std::string_view headers = event.headers.empty() ? kNoHeaders : event.headers;
    const EventRef ref{event.body.data(), headers.data(),
                       static_cast<std::uint32_t>(event.body.size()),
                       static_cast<std::uint32_t>(headers.size())};
    TRY(writer_.append({&ref, 1}, out_));
    return out_.size() >= kPassOnBytes ? pass_on() : Result<>();
  }
  Result<> finish() override {
    TRY(writer_.end_block(out_));
    TRY(pass_on());
    return target_.finish();
  }

 private:
  Result<> pass_on() {
    TRY(target_.append(out_));
    out_.clear();
    return {};
  }

  OutputTarget target_;
  AvroContainerWriter writer_;
  std::string out_;
};

}  // namespace

Result<OutputTarget> OutputTarget::open(FileSystem& files, const std::string& path) {
  OutputTarget target(files, path);
  if (!path.empty()) {
    target.file_ =
        std::make_unique<FileWriter>(TRY(files.open(target.temporary(), OpenMode::kTruncate)));
  }
  return target;
}

Result<> OutputTarget::append(std::string_view bytes) {
  if (file_ != nullptr) {
    return file_->append(bytes);
  }
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
    return transient("not all of the output could be written");
  }
  return {};
}

Result<> OutputTarget::finish() {
  if (file_ == nullptr) {
    return std::fflush(stdout) == 0 ? Result<>()
                                    : transient("not all of the output could be written");
  }
  TRY(file_->sync());
  TRY(files_->rename(temporary(), path_));
  return files_->sync_directory(path_.parent_path());
}

std::string json_line(const ChannelEvent& event) {
  std::string headers;
  if (!event.headers.empty()) {
    for (const auto& [key, value] : HeaderView(event.headers)) {
      headers +=
          fmt::format("{}{}:{}", headers.empty() ? "" : ",", json_string(key), json_string(value));
    }
  }
  const bool is_text = is_valid_utf8(event.body);
  return fmt::format(R"({{"number":{},"time":{},"headers":{{{}}},"body":{}{}}})", event.number,
                     event.time_ms > 0 ? json_string(time_text(event.time_ms)) : "null", headers,
                     is_text ? json_string(event.body) : '"' + base64(event.body) + '"',
                     is_text ? "" : R"(,"body_encoding":"base64")");
}

std::unique_ptr<EventOutput> json_output(OutputTarget target) {
  return std::make_unique<JsonOutput>(std::move(target));
}

Result<std::unique_ptr<EventOutput>> avro_output(OutputTarget target) {
  auto output = std::make_unique<AvroOutput>(std::move(target));
  TRY(output->begin());
  return std::unique_ptr<EventOutput>(std::move(output));
}

}  // namespace millrace
