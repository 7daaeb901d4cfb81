#include "serializer/sequence_file/sequence_file_reader.h"

#include <utility>

#include "serializer/sequence_file/writable.h"

namespace millrace {
namespace {

constexpr std::size_t kLargestHeader = std::size_t{1} << 20;
constexpr std::size_t kWord = sizeof(std::uint32_t);

Error unsupported(std::string_view what) {
  return bad_config(std::string(what));
}

}  // namespace

Result<std::string_view> sequence_value_bytes(std::string_view value_class,
                                              std::string_view value) {
  ByteReader reader(value);
  if (value_class == kHadoopText) {
    const std::string_view text = TRY(read_hadoop_text(reader));
    return reader.empty() ? Result<std::string_view>(text) : corrupt("bytes behind a Text");
  }
  if (value_class == kBytesWritable) {
    const auto size = TRY(reader.big<std::uint32_t>());
    const std::string_view bytes = TRY(reader.bytes(size));
    return reader.empty() ? Result<std::string_view>(bytes)
                          : corrupt("bytes behind a BytesWritable");
  }
  return corrupt("values of class " + std::string(value_class) + " are not known");
}

Result<SequenceFileReader> SequenceFileReader::over(ByteSource source, std::string name,
                                                    SequenceReaderOptions options) {
  SequenceFileReader reader(std::move(source), std::move(name), options);
  TRY(reader.read_header());
  return reader;
}

Result<bool> SequenceFileReader::next(SequenceRecord& record) {
  TRY(check_open());
  while (is_block()) {
    if (records_left_ > 0) {
      return next_of_block(record);
    }
    if (!TRY(find_entry())) {
      return false;
    }
    TRY(pass_block(true));
  }
  if (!TRY(find_entry())) {
    return false;
  }
  std::uint32_t key_length = 0;
  const std::string_view bytes = TRY(read_record(key_length));
  record = {bytes.substr(0, key_length), bytes.substr(key_length)};
  if (header_.compression == SequenceCompression::kRecord) {
    TRY(unpack(record.value, value_));
    record.value = value_.view();
  }
  return true;
}

Result<bool> SequenceFileReader::pass() {
  TRY(check_open());
  if (!TRY(find_entry())) {
    return false;
  }
  if (is_block()) {
    TRY(pass_block(false));
  } else {
    std::uint32_t key_length = 0;
    TRY(read_record(key_length));
  }
  return true;
}

Result<> SequenceFileReader::read_header() {
  const std::string_view bytes = TRY(window_.view(SourceWindow::kReadBytes));
  ByteReader reader(bytes);
  const Result<> parsed = parse_header(reader);
  if (parsed.ok()) {
    window_.skip(reader.position());
    whole_bytes_ = window_.position();
    return {};
  }
  header_ = {};
  const bool cut = parsed.error().fault() == Fault::kCorrupt && bytes.size() < kLargestHeader &&
                   kSequenceFileMagic.starts_with(bytes.substr(0, kSequenceFileMagic.size()));
  (void)stop(cut ? FileEnd::kTorn : FileEnd::kDamaged,
             "in the header: " + parsed.error().message());
  return {};
}

// kConfig for what is whole, but not for us.
Result<> SequenceFileReader::parse_header(ByteReader& reader) {
  const std::string_view magic = TRY(reader.bytes(kSequenceFileMagic.size()));
  if (magic != kSequenceFileMagic) {
    return unsupported(magic.starts_with("SEQ") ? "a SequenceFile of another version than 6"
                                                : "this is not a SequenceFile");
  }
  header_.key_class = TRY(read_hadoop_text(reader));
  header_.value_class = TRY(read_hadoop_text(reader));
  const bool compressed = TRY(reader.bytes(1))[0] != 0;
  const bool blocks = TRY(reader.bytes(1))[0] != 0;
  if (blocks && !compressed) {
    return unsupported("blocks that are not compressed");
  }
  if (compressed) {
    header_.compression = blocks ? SequenceCompression::kBlock : SequenceCompression::kRecord;
    const std::string_view codec = TRY(read_hadoop_text(reader));
    header_.codec = TRY(hadoop_codec_named(codec));
    if (header_.codec == HadoopCodec::kNone) {
      return unsupported("compressed by no codec");
    }
    unpacker_ = std::make_unique<HadoopUnpacker>(header_.codec);
  }
  const auto entries = TRY(reader.big<std::uint32_t>());
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::string_view key = TRY(read_hadoop_text(reader));
    header_.metadata.emplace_back(key, TRY(read_hadoop_text(reader)));
  }
  header_.sync = TRY(reader.bytes(kSequenceSyncBytes));
  return {};
}

Result<> SequenceFileReader::check_open() const {
  return end_ == FileEnd::kTorn || end_ == FileEnd::kDamaged ? Result<>(corrupt(problem_))
                                                             : Result<>();
}

// Passes markers. False at the end of the file.
Result<bool> SequenceFileReader::find_entry() {
  for (;;) {
    const std::string_view bytes = TRY(window_.view(kWord + kSequenceSyncBytes));
    if (bytes.empty()) {
      end_ = FileEnd::kBorder;
      return false;
    }
    end_ = FileEnd::kOpen;
    if (bytes.size() < kWord) {
      return stop(FileEnd::kTorn, "a length is cut short");
    }
    ByteReader reader(bytes);
    if (TRY(reader.big<std::uint32_t>()) != kSequenceSyncEscape) {
      return is_block() ? Result<bool>(stop(FileEnd::kDamaged, "no sync marker before a block"))
                        : Result<bool>(true);
    }
    const std::string_view marker = bytes.substr(kWord);
    if (!std::string_view(header_.sync).starts_with(marker.substr(0, kSequenceSyncBytes))) {
      return stop(FileEnd::kDamaged, "another sync marker than the header's");
    }
    if (marker.size() < kSequenceSyncBytes) {
      return stop(FileEnd::kTorn, "a sync marker is cut short");
    }
    window_.skip(kWord + kSequenceSyncBytes);
    if (is_block()) {
      return true;  // It belongs to the block.
    }
    whole_bytes_ = window_.position();
  }
}

Result<std::string_view> SequenceFileReader::whole(std::uint64_t bytes) {
  if (bytes > options_.limit) {
    return stop(FileEnd::kDamaged, "a length of " + std::to_string(bytes) + " bytes; at most " +
                                       std::to_string(options_.limit) + " are read");
  }
  const std::string_view there = TRY(window_.view(bytes));
  if (there.size() < bytes) {
    return stop(FileEnd::kTorn, std::to_string(bytes) + " bytes are wanted, " +
                                    std::to_string(there.size()) + " are there");
  }
  return there.substr(0, bytes);
}

// Key and value of the record that the window is at.
Result<std::string_view> SequenceFileReader::read_record(std::uint32_t& key_length) {
  ByteReader head(TRY(whole(2 * kWord)));
  const auto length = TRY(head.big<std::uint32_t>());
  key_length = TRY(head.big<std::uint32_t>());
  if (key_length > length) {
    return stop(FileEnd::kDamaged, "a key longer than its record");
  }
  const std::uint64_t all = std::uint64_t{2 * kWord} + length;
  const std::string_view record = TRY(whole(all)).substr(2 * kWord);
  window_.skip(all);
  whole_bytes_ = window_.position();
  return record;
}

Result<> SequenceFileReader::pass_block(bool unpack_parts) {
  const std::uint64_t records = TRY(read_block_length());
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::uint64_t packed_bytes = TRY(read_block_length());
    const std::string_view packed = TRY(whole(packed_bytes));
    if (unpack_parts) {
      TRY(unpack(packed, parts_[part]));
      left_[part] = parts_[part].view();
    }
    window_.skip(packed_bytes);
  }
  if (unpack_parts && records > left_[kKeyLengths].size()) {
    return stop(FileEnd::kDamaged, "more records than lengths");
  }
  records_left_ = unpack_parts ? records : 0;
  whole_bytes_ = window_.position();
  return {};
}

Result<std::uint64_t> SequenceFileReader::read_block_length() {
  const std::string_view bytes = TRY(window_.view(kMostVlongBytes)).substr(0, kMostVlongBytes);
  ByteReader reader(bytes);
  const Result<std::int64_t> length = read_vlong(reader);
  if (!length.ok()) {
    return stop(FileEnd::kTorn, "a length is cut short");
  }
  if (*length < 0) {
    return stop(FileEnd::kDamaged, "a negative length");
  }
  window_.skip(reader.position());
  return static_cast<std::uint64_t>(*length);
}

Result<> SequenceFileReader::unpack(std::string_view packed, RawBuffer& out) {
  const Result<> unpacked = unpacker_->unpack(packed, options_.limit, out);
  return unpacked.ok() ? Result<>() : stop(FileEnd::kDamaged, unpacked.error().message());
}

Result<bool> SequenceFileReader::next_of_block(SequenceRecord& record) {
  const Result<std::string_view> key = next_of_part(kKeyLengths, kKeys);
  const Result<std::string_view> value = key.ok() ? next_of_part(kValueLengths, kValues) : key;
  if (!value.ok()) {
    return stop(FileEnd::kDamaged, "the lengths of a block do not fit its bytes");
  }
  --records_left_;
  record = {*key, *value};
  return true;
}

Result<std::string_view> SequenceFileReader::next_of_part(Part lengths, Part bytes) {
  ByteReader length_reader(left_[lengths]);
  const std::uint64_t length = TRY(read_vlength(length_reader));
  left_[lengths] = length_reader.rest();
  ByteReader reader(left_[bytes]);
  const std::string_view piece = TRY(reader.bytes(length));
  left_[bytes] = reader.rest();
  return piece;
}

Error SequenceFileReader::stop(FileEnd end, std::string_view what) {
  end_ = end;
  problem_ = name_ + " at byte " + std::to_string(window_.position()) + ": " + std::string(what);
  return corrupt(problem_);
}

}  // namespace millrace
