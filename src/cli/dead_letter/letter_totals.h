// Counts letters by file and by reason.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/dead_letter/letters.h"
#include "cli/dead_letter/replayed_mark.h"

namespace millrace {

struct LetterCount {
  std::uint64_t letters = 0;
  std::optional<std::int64_t> oldest_ms;  // Since 1970 UTC.
  std::optional<std::int64_t> newest_ms;

  void add(const Letter& letter);
};

struct LetterFileCount {
  std::string name;
  LetterCount count;
  std::uint64_t replayed = 0;  // Of these.
};

// Memory grows with the number of different reasons, up to kMostReasons.
struct LetterTotals {
  static constexpr std::size_t kMostReasons = 10'000;

  std::vector<LetterFileCount> files;
  std::map<std::pair<std::string, std::string>, LetterCount> reasons;  // By component and reason.
  LetterCount other_reasons;                                           // Those beyond.
  std::vector<std::string> notes;                                      // Damage.

  void add_reason(const Letter& letter);
  std::uint64_t letters() const;
  std::uint64_t replayed() const;
};

// Of the files at `path`, a folder or a file.
Result<LetterTotals> count_letters(FileSystem& files, const std::filesystem::path& path);

std::string to_text(const LetterTotals& totals);
std::string to_json(const LetterTotals& totals);

}  // namespace millrace
