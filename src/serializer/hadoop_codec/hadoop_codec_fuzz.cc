// Any bytes are unpacked to their end by any codec, in memory and as a stream, without a crash, a
// hang or more memory than the limit allows; both agree where both come to the end.
#include "base/check.h"
#include "serializer/hadoop_codec/codec_reader.h"

namespace millrace {
namespace {

constexpr std::size_t kLimit = std::size_t{1} << 20;

// Nothing when the stream is not whole, or longer than the limit.
std::optional<std::string> read_stream(HadoopCodec codec, std::string_view packed) {
  CodecReader reader(codec, source_of(packed), "/f");
  std::string text;
  for (auto piece = reader.next(); piece.ok() && text.size() <= kLimit; piece = reader.next()) {
    CHECK(reader.whole_bytes() <= packed.size());
    if (piece->empty()) {
      return text;
    }
    text += *piece;
  }
  return std::nullopt;
}

}  // namespace
}  // namespace millrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace millrace;
  if (size == 0) {
    return 0;
  }
  const auto codec = static_cast<HadoopCodec>(1 + data[0] % 7);
  const std::string_view packed(reinterpret_cast<const char*>(data) + 1, size - 1);
  RawBuffer out;
  const Result<> whole = HadoopUnpacker(codec).unpack(packed, kLimit, out);
  const std::optional<std::string> text = read_stream(codec, packed);
  if (whole.ok() && text) {
    CHECK(out.view() == *text);
  }
  return 0;
}
