#include "cli/dead_letter/letter_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/times.h"
#include "cli/words.h"
#include "web/json_text.h"

namespace millrace {
namespace {

constexpr std::size_t kMostReasonsShown = 20;

// A reason, how often, and who gave it.
using ReasonLine = std::pair<std::pair<std::string, std::string>, LetterCount>;

std::string time_or_dash(std::optional<std::int64_t> time_ms) {
  return time_ms ? time_text(*time_ms) : "-";
}

std::vector<ReasonLine> most_frequent_first(const LetterTotals& totals) {
  std::vector<ReasonLine> lines(totals.reasons.begin(), totals.reasons.end());
  std::stable_sort(lines.begin(), lines.end(), [](const ReasonLine& a, const ReasonLine& b) {
    return a.second.letters > b.second.letters;
  });
  return lines;
}

// Control characters would move the terminal's cursor.
std::string one_line(std::string_view text) {
  std::string line(text.empty() ? "(none given)" : text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return (c >= 0 && c < ' ') || c == 127; }, '.');
  return line;
}

void append_files(const LetterTotals& totals, std::string& text) {
  std::size_t width = 4;
  for (const LetterFileCount& file : totals.files) {
    width = std::max(width, file.name.size());
  }
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{:<{}}  {:>10}  {:>10}  {:<24}  {}\n", "file", width, "letters", "replayed",
                 "oldest", "newest");
  for (const LetterFileCount& file : totals.files) {
    fmt::format_to(out, "{:<{}}  {:>10}  {:>10}  {:<24}  {}\n", file.name, width,
                   with_commas(file.count.letters), with_commas(file.replayed),
                   time_or_dash(file.count.oldest_ms), time_or_dash(file.count.newest_ms));
  }
}

void append_reasons(const LetterTotals& totals, std::string& text) {
  const std::vector<ReasonLine> lines = most_frequent_first(totals);
  const std::size_t shown = std::min(lines.size(), kMostReasonsShown);
  std::size_t width = 9;
  for (std::size_t i = 0; i < shown; ++i) {
    width = std::max(width, lines[i].first.first.size());
  }
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "\n{:>10}  {:<{}}  reason\n", "letters", "component", width);
  for (std::size_t i = 0; i < shown; ++i) {
    fmt::format_to(out, "{:>10}  {:<{}}  {}\n", with_commas(lines[i].second.letters),
                   one_line(lines[i].first.first), width, one_line(lines[i].first.second));
  }
  std::uint64_t rest = totals.other_reasons.letters;
  for (std::size_t i = shown; i < lines.size(); ++i) {
    rest += lines[i].second.letters;
  }
  if (rest > 0) {
    fmt::format_to(out, "{:>10}  for other reasons\n", with_commas(rest));
  }
}

std::string json_of(const LetterCount& count) {
  const auto time = [](std::optional<std::int64_t> time_ms) {
    return time_ms ? json_string(time_text(*time_ms)) : std::string("null");
  };
  return fmt::format(R"("letters":{},"oldest":{},"newest":{})", count.letters,
                     time(count.oldest_ms), time(count.newest_ms));
}

}  // namespace

void LetterCount::add(const Letter& letter) {
  ++letters;
  if (letter.time_ms) {
    oldest_ms = std::min(oldest_ms.value_or(*letter.time_ms), *letter.time_ms);
    newest_ms = std::max(newest_ms.value_or(*letter.time_ms), *letter.time_ms);
  }
}

void LetterTotals::add_reason(const Letter& letter) {
  const std::pair key(std::string(letter.component), std::string(letter.reason));
  const auto known = reasons.find(key);
  if (known != reasons.end()) {
    known->second.add(letter);
  } else {
    (reasons.size() < kMostReasons ? reasons[key] : other_reasons).add(letter);
  }
}

std::uint64_t LetterTotals::letters() const {
  std::uint64_t sum = 0;
  for (const LetterFileCount& file : files) {
    sum += file.count.letters;
  }
  return sum;
}

std::uint64_t LetterTotals::replayed() const {
  std::uint64_t sum = 0;
  for (const LetterFileCount& file : files) {
    sum += file.replayed;
  }
  return sum;
}

Result<LetterTotals> count_letters(FileSystem& files, const std::filesystem::path& path) {
  LetterTotals totals;
  for (const std::filesystem::path& file : TRY(letter_files_at(files, path))) {
    const LetterNumbers replayed = TRY(read_mark(files, file));
    LetterFileCount& counted_file = totals.files.emplace_back();
    counted_file.name = file.filename().string();
    TRY(read_letters(
        files, file,
        [&](const Letter& letter) -> Result<bool> {
          counted_file.count.add(letter);
          counted_file.replayed += replayed.contains(letter.number) ? 1 : 0;
          totals.add_reason(letter);
          return true;
        },
        totals.notes));
  }
  return totals;
}

std::string to_text(const LetterTotals& totals) {
  std::string text;
  if (totals.letters() > 0) {
    append_files(totals, text);
    append_reasons(totals, text);
    text += '\n';
  }
  return text + fmt::format("{}, {}, {} of them replayed\n", counted(totals.files.size(), "file"),
                            counted(totals.letters(), "letter"), with_commas(totals.replayed()));
}

std::string to_json(const LetterTotals& totals) {
  std::string files;
  for (const LetterFileCount& file : totals.files) {
    files += fmt::format(R"({}{{"file":{},{},"replayed":{}}})", files.empty() ? "" : ",",
                         json_string(file.name), json_of(file.count), file.replayed);
  }
  std::string reasons;
  for (const ReasonLine& line : most_frequent_first(totals)) {
    reasons += fmt::format(R"({}{{"component":{},"reason":{},{}}})", reasons.empty() ? "" : ",",
                           json_string(line.first.first), json_string(line.first.second),
                           json_of(line.second));
  }
  return fmt::format(
      R"({{"letters":{},"replayed":{},"files":[{}],"reasons":[{}],"letters_for_other_reasons":{}}})"
      "\n",
      totals.letters(), totals.replayed(), files, reasons, totals.other_reasons.letters);
}

}  // namespace millrace
