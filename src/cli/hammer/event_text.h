// The text of a hammer's event, which hammer writes and verify finds again
// (docs/formats/hammer-event.md):
//   hammer-<k> <run> <number, 12 digits> r<copy, 2 digits> <bytes> <padding>
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace millrace {

inline constexpr std::size_t kNumberDigits = 12;
inline constexpr std::uint64_t kNumberLimit = 1'000'000'000'000;  // Numbers are below it.
inline constexpr unsigned kMostCopies = 99;  // Copy 99 stands for all later ones too.
inline constexpr std::size_t kMostRunLetters = 32;

struct HammerEvent {
  std::uint32_t hammer = 0;
  std::string_view run;
  std::uint64_t number = 0;
  unsigned copy = 0;   // 0: sent for the first time; n: for the n-th time again.
  bool whole = false;  // As long as it says it is; bytes behind it are not counted.
};

// The first one in `text`, whatever stands before it; `run` borrows from `text`. Nothing where none
// can be read.
std::optional<HammerEvent> find_hammer_event(std::string_view text);

// Letters, digits, '.', '_' and '-', 1 to kMostRunLetters of them.
bool is_run_id(std::string_view text);

// An event that is `bytes` long, and where in it the parts lie that change from one to the next.
struct EventText {
  std::string text;
  std::size_t number_at;  // kNumberDigits digits.
  std::size_t copy_at;    // 2 digits.
};

// `bytes` is at least smallest_event(). Padding repeats `padding`, which is not empty.
EventText make_event_text(std::uint32_t hammer, std::string_view run, std::size_t bytes,
                          std::string_view padding);
std::size_t smallest_event(std::uint32_t hammer, std::string_view run);

// Writes exactly `digits` digits at `out`, with leading zeros.
void put_digits(char* out, std::size_t digits, std::uint64_t value);

}  // namespace millrace
