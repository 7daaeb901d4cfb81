#include "serializer/whole_part.h"

#include <algorithm>
#include <vector>

#include "serializer/avro_container_reader.h"
#include "serializer/hadoop_codec/codec_reader.h"
#include "serializer/sequence_file/sequence_file_reader.h"

namespace millrace {
namespace {

constexpr std::size_t kLinesAtOnce = std::size_t{64} << 10;
constexpr std::size_t kLargestBlock = std::size_t{256} << 20;

// Nothing behind `length`, though the source may go on.
ByteSource cut(const ByteSource& source, std::uint64_t length) {
  return [source, length](std::span<char> space, std::uint64_t offset) {
    const std::uint64_t left = length - std::min(offset, length);
    return source(space.first(std::min<std::uint64_t>(space.size(), left)), offset);
  };
}

Result<WholePart> whole_lines(const ByteSource& source, std::uint64_t length) {
  std::vector<char> space(kLinesAtOnce);
  for (std::uint64_t end = length; end > 0;) {
    const std::uint64_t from = end - std::min<std::uint64_t>(end, kLinesAtOnce);
    const std::size_t got = TRY(source({space.data(), end - from}, from));
    const std::size_t found = std::string_view(space.data(), got).rfind('\n');
    if (found != std::string_view::npos) {
      return WholePart{from + found + 1, {}};
    }
    end = from;
  }
  return WholePart{};
}

// `step` reads on, and says whether there may be more.
template <class Reader, class Step>
Result<WholePart> pass(Reader& reader, const Step& step) {
  for (;;) {
    const Result<bool> more = step();
    if (!more.ok() && more.error().fault() != Fault::kCorrupt) {
      return more.error();
    }
    if (!more.ok() || !*more) {
      const bool damaged = reader.end() == FileEnd::kDamaged;
      return WholePart{reader.whole_bytes(), damaged ? more.error().message() : ""};
    }
  }
}

}  // namespace

Result<WholePart> find_whole_part(const ByteSource& source, std::uint64_t length, FileShape shape,
                                  const std::string& name) {
  if (shape.codec != HadoopCodec::kNone) {
    CodecReader reader(shape.codec, cut(source, length), name);
    return pass(reader, [&]() -> Result<bool> { return !TRY(reader.next()).empty(); });
  }
  switch (shape.contents) {
    case FileContents::kBytes:
      break;
    case FileContents::kLines:
      return whole_lines(source, length);
    case FileContents::kAvroContainer: {
      auto reader = TRY(AvroContainerReader::over(
          cut(source, length), name, {.block_limit = kLargestBlock, .any_schema = true}));
      return pass(reader, [&]() -> Result<bool> { return TRY(reader.next_block()).has_value(); });
    }
    case FileContents::kSequenceFile: {
      auto reader = TRY(SequenceFileReader::over(cut(source, length), name));
      return pass(reader, [&]() -> Result<bool> { return reader.pass(); });
    }
  }
  return WholePart{length, {}};
}

}  // namespace millrace
