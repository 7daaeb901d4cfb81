// Any bytes are lines, in whatever encoding: no crash, no hang; in UTF-8 all of them are given, or
// all up to the first that are no text. The first byte of the input says how they are read.
#include "config/utf8.h"
#include "deserializer/fuzz_driver.h"

namespace millrace {
namespace {

// Without line ends: where a line is cut is none.
std::string without_ends(std::string_view text) {
  std::string rest;
  for (const char c : text) {
    if (c != '\n') {
      rest += c;
    }
  }
  return rest;
}

std::string joined(const std::vector<std::string>& bodies) {
  std::string text;
  for (const std::string& body : bodies) {
    CHECK(is_valid_utf8(body));
    text += body;
  }
  return text;
}

}  // namespace
}  // namespace millrace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace millrace;
  if (size == 0) {
    return 0;
  }
  const char* const charsets[] = {"UTF-8",  "US-ASCII",  "windows-1252", "UTF-16",
                                  "UTF-32", "Shift_JIS", "GB18030",      "UTF-16LE"};
  const DecodeErrors policies[] = {DecodeErrors::kFail, DecodeErrors::kReplace,
                                   DecodeErrors::kIgnore};
  FuzzedFile file{.type = "LINE",
                  .keys = PropertySection({{"maxLineLength", "5"}}),
                  .charset = charsets[data[0] % 8],
                  .errors = policies[(data[0] / 8) % 3],
                  .bytes = {reinterpret_cast<const char*>(data) + 1, size - 1}};
  const std::string text = joined(read_fuzzed(file));
  if (file.charset == "UTF-8" && file.errors == DecodeErrors::kFail) {
    CHECK(without_ends(file.bytes).starts_with(text));
    CHECK(!is_valid_utf8(file.bytes) || without_ends(file.bytes) == text);
  }
  return 0;
}
