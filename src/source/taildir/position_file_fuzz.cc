// Goal: no text given as a position file or a file of heads crashes the readers, and what they take
// from it comes back from the text that they write of it.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "source/taildir/position_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view positions = text.substr(0, text.find('\0'));
  millrace::LoadedEntries loaded = millrace::parse_positions(positions, "positions");
  millrace::parse_heads(text.substr(positions.size()), "heads", loaded);

  const std::string written = millrace::positions_text(loaded.entries);
  millrace::LoadedEntries again = millrace::parse_positions(written, "positions");
  CHECK(again.findings.empty() && !again.is_damaged);
  CHECK(again.entries.size() == loaded.entries.size());
  CHECK(millrace::positions_text(again.entries) == written);
  return 0;
}
