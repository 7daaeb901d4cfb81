#include "cli/dead_letter/replayed_mark.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "io/atomic_file.h"

namespace millrace {
namespace {

constexpr std::string_view kFirstLine = "millrace replayed 1\n";

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && number > 0 && number < UINT64_MAX ? std::optional(number) : std::nullopt;
}

bool add_line(std::string_view line, LetterNumbers& numbers) {
  const std::size_t dash = line.find('-');
  if (dash == std::string_view::npos) {
    return false;
  }
  const std::optional<std::uint64_t> first = number_of(line.substr(0, dash));
  const std::optional<std::uint64_t> last = number_of(line.substr(dash + 1));
  if (!first || !last || *first > *last) {
    return false;
  }
  numbers.add({*first, *last + 1});
  return true;
}

}  // namespace

std::filesystem::path mark_of(const std::filesystem::path& letters) {
  return letters.string() + ".replayed";
}

Result<LetterNumbers> parse_mark(std::string_view text) {
  LetterNumbers numbers;
  bool good = text.starts_with(kFirstLine);
  text.remove_prefix(good ? kFirstLine.size() : text.size());
  while (good && !text.empty()) {
    const std::size_t end = text.find('\n');
    good = end != std::string_view::npos && add_line(text.substr(0, end), numbers);
    text.remove_prefix(good ? end + 1 : 0);
  }
  if (!good) {
    return corrupt("is no mark of replayed letters; without it all letters are new");
  }
  return numbers;
}

Result<LetterNumbers> read_mark(FileSystem& files, const std::filesystem::path& letters) {
  const std::filesystem::path path = mark_of(letters);
  if (!files.exists(path)) {
    return LetterNumbers();
  }
  return parse_mark(TRY(read_file(files, path))).with(path.string());
}

Result<> write_mark(FileSystem& files, const std::filesystem::path& letters,
                    const LetterNumbers& replayed) {
  std::string text(kFirstLine);
  for (const file_channel::EventRange& range : replayed.all()) {
    fmt::format_to(std::back_inserter(text), "{}-{}\n", range.first, range.end - 1);
  }
  return replace_file(files, mark_of(letters), text);
}

}  // namespace millrace
