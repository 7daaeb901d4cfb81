#include "serializer/avro_container_reader.h"

#include <algorithm>

#include "base/bytes.h"
#include "serializer/avro_container.h"

namespace millrace {
namespace {

constexpr std::size_t kLargestHeader = std::size_t{1} << 20;
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
  return over(source_of(std::move(file)), std::move(name), options);
}

Result<AvroContainerReader> AvroContainerReader::over(ByteSource source, std::string name,
                                                      AvroReaderOptions options) {
  AvroContainerReader reader(std::move(source), std::move(name), options);
  TRY(reader.read_header());
  return reader;
}

Result<std::optional<AvroBlock>> AvroContainerReader::next_block() {
  if (end_ == FileEnd::kTorn || end_ == FileEnd::kDamaged) {
    return corrupt(problem_);
  }
  if (TRY(window_.view(1)).empty()) {
    end_ = FileEnd::kBorder;
    return std::optional<AvroBlock>();
  }
  end_ = FileEnd::kOpen;  // A file that grows may go on behind a border.
  return std::optional<AvroBlock>(TRY(read_block()));
}

Result<bool> AvroContainerReader::go_behind_marker(std::uint64_t from) {
  if (sync_.empty()) {
    return false;
  }
  const std::uint64_t was_at = window_.position();
  window_.move_to(from);
  for (;;) {
    const std::string_view bytes = TRY(window_.view(SourceWindow::kReadBytes));
    if (bytes.size() < kAvroSyncBytes) {
      window_.move_to(was_at);
      return false;
    }
    const std::size_t found = bytes.find(sync_);
    if (found != std::string_view::npos) {
      window_.skip(found + kAvroSyncBytes);
      whole_bytes_ = window_.position();
      end_ = FileEnd::kOpen;
      return true;
    }
    window_.skip(bytes.size() - kAvroSyncBytes + 1);
  }
}

Result<> AvroContainerReader::read_header() {
  std::string_view bytes = TRY(window_.view(SourceWindow::kReadBytes));
  if (bytes.size() >= SourceWindow::kReadBytes) {
    bytes = TRY(window_.view(kLargestHeader));
  }
  const Result<> parsed = parse_header(bytes);
  if (!parsed.ok()) {
    codec_ = AvroCodec::kNull;
    schema_.clear();
    sync_.clear();
    // What is too short lacks bytes only if all that is there could be the start of a header.
    const bool avro = bytes.substr(0, kAvroMagic.size()) ==
                      kAvroMagic.substr(0, std::min<std::size_t>(bytes.size(), 4));
    const bool cut = avro && bytes.size() < kLargestHeader && end_ != FileEnd::kDamaged;
    (void)stop(cut ? FileEnd::kTorn : FileEnd::kDamaged,
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
    end_ = FileEnd::kDamaged;
    return known ? corrupt("the schema is not the one of events: " + schema_.substr(0, 400))
                 : corrupt("unknown codec \"" + codec.substr(0, 40) + "\"");
  }
  codec_ = *known;
  sync_ = sync;
  window_.move_to(reader.position());
  whole_bytes_ = window_.position();
  return {};
}

// The block that the window is at; it moves behind it.
Result<AvroBlock> AvroContainerReader::read_block() {
  const std::string_view start = TRY(window_.view(kMostBlockPrefix));
  ByteReader prefix(start);
  const Result<std::int64_t> records = prefix.avro_long();
  const Result<std::int64_t> length = records.ok() ? prefix.avro_long() : records;
  if (!length.ok()) {
    const bool cut = start.size() < kMostBlockPrefix;
    return stop(cut ? FileEnd::kTorn : FileEnd::kDamaged, "the start of a block is not whole");
  }
  if (records.value() < 0 || length.value() < 0) {
    return stop(FileEnd::kDamaged, "a block with a negative count or length");
  }
  const auto packed_bytes = static_cast<std::uint64_t>(length.value());
  if (packed_bytes > options_.block_limit) {
    return stop(FileEnd::kDamaged, "a block of " + std::to_string(packed_bytes) +
                                       " bytes; at most " + std::to_string(options_.block_limit) +
                                       " are read");
  }
  const std::size_t from = prefix.position();
  const std::size_t whole = from + packed_bytes + kAvroSyncBytes;
  const std::string_view block = TRY(window_.view(whole));
  if (block.size() < whole) {
    return stop(FileEnd::kTorn, "the block has " + std::to_string(whole) + " bytes, " +
                                    std::to_string(block.size()) + " are there");
  }
  if (block.substr(whole - kAvroSyncBytes, kAvroSyncBytes) != sync_) {
    return stop(FileEnd::kDamaged, "no sync marker where the block should end");
  }
  std::string_view bytes = block.substr(from, packed_bytes);
  if (codec_ != AvroCodec::kNull) {
    const Result<> decoded = avro_decompress(codec_, bytes, options_.block_limit, decoded_);
    if (!decoded.ok()) {
      return stop(FileEnd::kDamaged, decoded.error().message());
    }
    bytes = decoded_.view();
  }
  if (static_cast<std::uint64_t>(records.value()) > bytes.size()) {
    return stop(FileEnd::kDamaged, "more records than bytes");
  }
  const std::uint64_t offset = window_.position();
  window_.skip(whole);
  whole_bytes_ = window_.position();
  return AvroBlock{offset, static_cast<std::uint64_t>(records.value()), bytes};
}

Error AvroContainerReader::stop(FileEnd end, std::string_view what) {
  end_ = end;
  problem_ = name_ + " at byte " + std::to_string(window_.position()) + ": " + std::string(what);
  return corrupt(problem_);
}

}  // namespace millrace
