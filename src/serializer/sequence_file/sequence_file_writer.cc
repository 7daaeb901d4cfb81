#include "serializer/sequence_file/sequence_file_writer.h"

#include "base/check.h"
#include "serializer/sequence_file/writable.h"

namespace millrace {
namespace {

constexpr std::int64_t kKeyBytes = sizeof(std::int64_t);
constexpr std::size_t kRecordHead = 2 * sizeof(std::uint32_t);  // Its length and the key's.

}  // namespace

SequenceFileWriter::SequenceFileWriter(SequenceFileOptions options)
    : options_(std::move(options)), compressor_(make_hadoop_compressor(options_.codec)) {
  CHECK((options_.compression == SequenceCompression::kNone) == (compressor_ == nullptr));
}

void SequenceFileWriter::begin(std::string_view sync_marker, std::string& out) {
  CHECK(sync_marker.size() == kSequenceSyncBytes);
  sync_marker_ = sync_marker;
  drop_open();
  const std::size_t from = out.size();
  out += kSequenceFileMagic;
  append_hadoop_text(out, kLongWritable);
  append_hadoop_text(out, options_.value == SequenceValue::kText ? kHadoopText : kBytesWritable);
  out += static_cast<char>(options_.compression != SequenceCompression::kNone);
  out += static_cast<char>(options_.compression == SequenceCompression::kBlock);
  if (options_.compression != SequenceCompression::kNone) {
    append_hadoop_text(out, class_name(options_.codec));
  }
  append_big(out, static_cast<std::uint32_t>(options_.metadata.size()));
  for (const auto& [key, value] : options_.metadata) {
    append_hadoop_text(out, key);
    append_hadoop_text(out, value);
  }
  out += sync_marker_;
  since_marker_ = out.size() - from;
}

Result<> SequenceFileWriter::append(std::int64_t key, std::string_view body, std::string& out) {
  if (body.size() > kMostBodyBytes) {
    return rejected("an event of " + std::to_string(body.size()) +
                    " bytes is too large for a SequenceFile");
  }
  if (options_.compression == SequenceCompression::kBlock) {
    append_to_block(key, body);
    return keys_.size() + values_.size() >= options_.block_bytes ? sync(out) : Result<>();
  }
  if (since_marker_ >= kSyncInterval) {
    append_marker(out);
  }
  const std::size_t from = out.size();
  append_big(out, std::uint32_t{0});
  append_big(out, static_cast<std::uint32_t>(kKeyBytes));
  append_big(out, key);
  if (options_.compression == SequenceCompression::kNone) {
    append_value(body, out);
  } else {
    TRY(append_packed_value(body, out));
  }
  std::string length;
  append_big(length, static_cast<std::uint32_t>(out.size() - from - kRecordHead));
  out.replace(from, length.size(), length);
  since_marker_ += out.size() - from;
  records_since_marker_ = true;
  return {};
}

Result<> SequenceFileWriter::sync(std::string& out) {
  if (options_.compression != SequenceCompression::kBlock) {
    if (records_since_marker_) {
      append_marker(out);
    }
    return {};
  }
  if (records_ == 0) {
    return {};
  }
  append_marker(out);
  append_vlong(out, records_);
  records_ = 0;
  for (std::string* part : {&key_lengths_, &keys_, &value_lengths_, &values_}) {
    TRY(append_packed_part(*part, out));
  }
  return {};
}

// Behind a cut no marker is due: one may be there, and Hadoop's readers take no two in a row.
void SequenceFileWriter::drop_open() {
  since_marker_ = 0;
  records_since_marker_ = false;
  records_ = 0;
  for (std::string* part : {&key_lengths_, &keys_, &value_lengths_, &values_}) {
    part->clear();
  }
  if (compressor_ != nullptr) {
    compressor_->reset();
  }
}

void SequenceFileWriter::append_marker(std::string& out) {
  append_big(out, kSequenceSyncEscape);
  out += sync_marker_;
  since_marker_ = 0;
  records_since_marker_ = false;
}

void SequenceFileWriter::append_value(std::string_view body, std::string& out) const {
  if (options_.value == SequenceValue::kText) {
    append_hadoop_text(out, body);
  } else {
    append_big(out, static_cast<std::uint32_t>(body.size()));
    out += body;
  }
}

Result<> SequenceFileWriter::append_packed_value(std::string_view body, std::string& out) {
  value_.clear();
  append_value(body, value_);
  compressor_->reset();
  TRY(compressor_->add(value_));
  out += TRY(compressor_->finish());
  return {};
}

void SequenceFileWriter::append_to_block(std::int64_t key, std::string_view body) {
  append_vlong(key_lengths_, kKeyBytes);
  append_big(keys_, key);
  const std::size_t from = values_.size();
  append_value(body, values_);
  append_vlong(value_lengths_, static_cast<std::int64_t>(values_.size() - from));
  ++records_;
}

Result<> SequenceFileWriter::append_packed_part(std::string& part, std::string& out) {
  compressor_->reset();
  TRY(compressor_->add(part));
  const std::string_view packed = TRY(compressor_->finish());
  append_vlong(out, static_cast<std::int64_t>(packed.size()));
  out += packed;
  part.clear();
  return {};
}

}  // namespace millrace
