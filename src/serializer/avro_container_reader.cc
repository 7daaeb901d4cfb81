#include "serializer/avro_container_reader.h"

#include <algorithm>

#include "base/bytes.h"
#include "serializer/avro_container.h"

namespace millrace {
namespace {

constexpr std::size_t kLargestHeader = std::size_t{1} << 20;
constexpr std::size_t kReadBytes = std::size_t{512} << 10;
constexpr std::size_t kMostBlockPrefix = 20;  // Two numbers of ten bytes.

// Other writers may put the same schema with blanks, a namespace or Java's string hint. What
// decides is the order and kind of the two fields.
bool is_event_schema(std::string_view schema) {
  std::string bare;
  for (const char letter : schema) {
    if (letter != ' ' && letter != '\n' && letter != '\r' && letter != '\t') {
      bare += letter;
    }
  }
  const auto without = [&](std::string_view part, std::string_view instead) {
    for (std::size_t at = bare.find(part); at != std::string::npos; at = bare.find(part)) {
      bare.replace(at, part.size(), instead);
    }
  };
  without(R"({"type":"string","avro.java.string":"String"})", R"("string")");
  without(R"(,"avro.java.string":"String")", "");
  without(R"("namespace":"org.apache.flume",)", "");
  without(R"(,"namespace":"org.apache.flume")", "");
  without(R"(,"doc":"")", "");
  return bare == kAvroEventSchema;
}

// Calls `keep(key, value)` for each entry of a map of bytes, which may come in several blocks, a
// negative count being followed by the block's length.
template <class Keep>
Result<> read_map(ByteReader& reader, const Keep& keep) {
  for (;;) {
    const std::int64_t count = TRY(reader.avro_long());
    if (count == 0) {
      return {};
    }
    if (count < 0) {
      TRY(reader.avro_long());
    }
    const auto entries =
        count < 0 ? ~static_cast<std::uint64_t>(count) + 1 : static_cast<std::uint64_t>(count);
    for (std::uint64_t i = 0; i < entries; ++i) {
      const std::string_view key = TRY(reader.avro_bytes());
      const std::string_view value = TRY(reader.avro_bytes());
      keep(key, value);
    }
  }
}

}  // namespace

Result<AvroContainerReader> AvroContainerReader::open(FileSystem& files,
                                                      const std::filesystem::path& path,
                                                      AvroReaderOptions options) {
  return over(TRY(files.open(path, OpenMode::kRead)), path.string(), options);
}

Result<AvroContainerReader> AvroContainerReader::over(std::unique_ptr<File> file, std::string name,
                                                      AvroReaderOptions options) {
  AvroContainerReader reader(std::move(file), std::move(name), options);
  TRY(reader.read_header());
  return reader;
}

Result<std::optional<AvroBlock>> AvroContainerReader::next_block() {
  if (end_ == AvroEnd::kTorn || end_ == AvroEnd::kDamaged) {
    return corrupt(problem_);
  }
  move_to(position_);
  if (TRY(window(1)).empty()) {
    end_ = AvroEnd::kBorder;
    return std::optional<AvroBlock>();
  }
  end_ = AvroEnd::kOpen;  // A file that grows may go on behind a border.
  return std::optional<AvroBlock>(TRY(read_block()));
}

Result<bool> AvroContainerReader::go_behind_marker(std::uint64_t from) {
  if (sync_.empty()) {
    return false;
  }
  const std::uint64_t was_at = position_;
  move_to(from);
  for (;;) {
    const std::string_view bytes = TRY(window(kReadBytes));
    if (bytes.size() < kAvroSyncBytes) {
      move_to(was_at);
      return false;
    }
    const std::size_t found = bytes.find(sync_);
    if (found != std::string_view::npos) {
      position_ += found + kAvroSyncBytes;
      whole_bytes_ = position_;
      end_ = AvroEnd::kOpen;
      return true;
    }
    move_to(position_ + bytes.size() - kAvroSyncBytes + 1);
  }
}

Result<> AvroContainerReader::read_header() {
  std::string_view bytes = TRY(window(kReadBytes));
  if (bytes.size() >= kReadBytes) {
    bytes = TRY(window(kLargestHeader));
  }
  const Result<> parsed = parse_header(bytes);
  if (!parsed.ok()) {
    codec_ = AvroCodec::kNull;
    schema_.clear();
    sync_.clear();
    // What is too short lacks bytes only if all that is there could be the start of a header.
    const bool avro = bytes.substr(0, kAvroMagic.size()) ==
                      kAvroMagic.substr(0, std::min<std::size_t>(bytes.size(), 4));
    const bool cut = avro && bytes.size() < kLargestHeader && end_ != AvroEnd::kDamaged;
    (void)stop(cut ? AvroEnd::kTorn : AvroEnd::kDamaged,
               "in the header: " + parsed.error().message());
  }
  return {};
}

Result<> AvroContainerReader::parse_header(std::string_view bytes) {
  ByteReader reader(bytes);
  if (TRY(reader.bytes(kAvroMagic.size())) != kAvroMagic) {
    return corrupt("this is not an Avro object container file");
  }
  std::string codec = "null";
  TRY(read_map(reader, [&](std::string_view key, std::string_view value) {
    if (key == "avro.codec") {
      codec = value;
    } else if (key == "avro.schema") {
      schema_ = value;
    }
  }));
  const std::string_view sync = TRY(reader.bytes(kAvroSyncBytes));
  const std::optional<AvroCodec> known = avro_codec_named(codec);
  if (!known || (!options_.any_schema && !is_event_schema(schema_))) {
    end_ = AvroEnd::kDamaged;
    return known ? corrupt("the schema is not the one of events: " + schema_.substr(0, 400))
                 : corrupt("unknown codec \"" + codec.substr(0, 40) + "\"");
  }
  codec_ = *known;
  sync_ = sync;
  position_ = reader.position();
  whole_bytes_ = position_;
  return {};
}

// The block at position_, which is moved behind it.
Result<AvroBlock> AvroContainerReader::read_block() {
  const std::string_view start = TRY(window(kMostBlockPrefix));
  ByteReader prefix(start);
  const Result<std::int64_t> records = prefix.avro_long();
  const Result<std::int64_t> length = records.ok() ? prefix.avro_long() : records;
  if (!length.ok()) {
    const bool cut = start.size() < kMostBlockPrefix;
    return stop(cut ? AvroEnd::kTorn : AvroEnd::kDamaged, "the start of a block is not whole");
  }
  if (records.value() < 0 || length.value() < 0) {
    return stop(AvroEnd::kDamaged, "a block with a negative count or length");
  }
  const auto packed_bytes = static_cast<std::uint64_t>(length.value());
  if (packed_bytes > options_.block_limit) {
    return stop(AvroEnd::kDamaged, "a block of " + std::to_string(packed_bytes) +
                                       " bytes; at most " + std::to_string(options_.block_limit) +
                                       " are read");
  }
  const std::size_t from = prefix.position();
  const std::size_t whole = from + packed_bytes + kAvroSyncBytes;
  const std::string_view block = TRY(window(whole));
  if (block.size() < whole) {
    return stop(AvroEnd::kTorn, "the block has " + std::to_string(whole) + " bytes, " +
                                    std::to_string(block.size()) + " are there");
  }
  if (block.substr(whole - kAvroSyncBytes, kAvroSyncBytes) != sync_) {
    return stop(AvroEnd::kDamaged, "no sync marker where the block should end");
  }
  std::string_view bytes = block.substr(from, packed_bytes);
  if (codec_ != AvroCodec::kNull) {
    const Result<> decoded = avro_decompress(codec_, bytes, options_.block_limit, decoded_);
    if (!decoded.ok()) {
      return stop(AvroEnd::kDamaged, decoded.error().message());
    }
    bytes = decoded_.view();
  }
  if (static_cast<std::uint64_t>(records.value()) > bytes.size()) {
    return stop(AvroEnd::kDamaged, "more records than bytes");
  }
  const std::uint64_t offset = position_;
  position_ += whole;
  whole_bytes_ = position_;
  return AvroBlock{offset, static_cast<std::uint64_t>(records.value()), bytes};
}

// The bytes at position_: `bytes` of them or more, fewer only at the end of the file. Valid until
// the next call or move_to().
Result<std::string_view> AvroContainerReader::window(std::size_t bytes) {
  const auto skipped = static_cast<std::size_t>(position_ - window_at_);
  if (window_.size() - skipped < bytes) {
    window_.drop_front(skipped);
    window_at_ = position_;
    const std::uint64_t size = TRY(file_->size());
    const std::uint64_t there = size > position_ ? size - position_ : 0;
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max(bytes, kReadBytes), there));
    while (window_.size() < wanted) {
      const std::size_t missing = wanted - window_.size();
      const std::size_t got =
          TRY(file_->read_at({window_.room(missing), missing}, window_at_ + window_.size()));
      if (got == 0) {
        break;
      }
      window_.take(got);
    }
    return window_.view();
  }
  return window_.view().substr(skipped);
}

void AvroContainerReader::move_to(std::uint64_t position) {
  position_ = position;
  if (position < window_at_ || position > window_at_ + window_.size()) {
    window_.clear();
    window_at_ = position;
  }
}

Error AvroContainerReader::stop(AvroEnd end, std::string_view what) {
  end_ = end;
  problem_ = name_ + " at byte " + std::to_string(position_) + ": " + std::string(what);
  return corrupt(problem_);
}

}  // namespace millrace
