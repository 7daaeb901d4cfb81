#include "cli/fs/text_output.h"

#include <fmt/format.h>

#include <optional>

#include "base/bytes.h"
#include "serializer/avro_container.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_json.h"
#include "serializer/hadoop_codec/codec_reader.h"
#include "serializer/sequence_file/sequence_file_reader.h"
#include "serializer/source_window.h"

namespace millrace {
namespace {

using Write = std::function<Result<>(std::string_view)>;

constexpr std::string_view kGzipMagic = "\x1F\x8B";
constexpr std::size_t kLargestBlock = std::size_t{256} << 20;

// As the class prints itself: a number, a text, bytes as "6f 6e 65".
Result<std::string> writable_text(std::string_view class_name, std::string_view bytes) {
  if (class_name == kLongWritable) {
    return std::to_string(TRY(ByteReader(bytes).big<std::int64_t>()));
  }
  const std::string_view value = TRY(sequence_value_bytes(class_name, bytes));
  if (class_name == kHadoopText) {
    return std::string(value);
  }
  std::string text;
  for (const char byte : value) {
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
  }
  return text;
}

Result<> write_sequence_file(const ByteSource& source, const std::string& name,
                             const Write& write) {
  SequenceFileReader reader = TRY(SequenceFileReader::over(source, name));
  SequenceRecord record;
  while (TRY(reader.next(record))) {
    std::string line = TRY(writable_text(reader.header().key_class, record.key).with(name));
    line += '\t';
    line += TRY(writable_text(reader.header().value_class, record.value).with(name));
    TRY(write(line += '\n'));
  }
  return {};
}

Result<> write_avro(const ByteSource& source, const std::string& name, const Write& write) {
  AvroContainerReader reader = TRY(
      AvroContainerReader::over(source, name, {.block_limit = kLargestBlock, .any_schema = true}));
  std::optional<AvroSchema> schema;
  while (const std::optional<AvroBlock> block = TRY(reader.next_block())) {
    if (!schema) {
      schema = TRY(AvroSchema::parse(reader.schema()).with(name));
    }
    std::string_view left = block->bytes;
    for (std::uint64_t i = 0; i < block->records; ++i) {
      std::string line;
      TRY(append_avro_json(*schema, left, line).with(name));
      TRY(write(line += '\n'));
    }
  }
  return {};
}

Result<> write_unpacked(HadoopCodec codec, const ByteSource& source, const std::string& name,
                        const Write& write) {
  CodecReader reader(codec, source, name);
  for (;;) {
    const std::string_view piece = TRY(reader.next());
    if (piece.empty()) {
      return {};
    }
    TRY(write(piece));
  }
}

Result<> write_plain(const ByteSource& source, const Write& write) {
  SourceWindow window(source);
  for (;;) {
    const std::string_view piece = TRY(window.view(SourceWindow::kReadBytes));
    if (piece.empty()) {
      return {};
    }
    TRY(write(piece));
    window.skip(piece.size());
  }
}

}  // namespace

Result<> write_as_text(const ByteSource& source, const std::string& name, const Write& write) {
  SourceWindow window(source);
  const std::string_view start = TRY(window.view(kAvroMagic.size()));
  if (start.starts_with(kGzipMagic)) {
    return write_unpacked(HadoopCodec::kGzip, source, name, write);
  }
  if (start.starts_with(kSequenceFileMagic.substr(0, 3))) {
    return write_sequence_file(source, name, write);
  }
  if (start.starts_with(kAvroMagic)) {
    return write_avro(source, name, write);
  }
  const HadoopCodec codec = hadoop_codec_of(name);
  return codec == HadoopCodec::kNone ? write_plain(source, write)
                                     : write_unpacked(codec, source, name, write);
}

}  // namespace millrace
