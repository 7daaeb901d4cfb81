#include "config/nearest_name.h"

#include <algorithm>
#include <cstddef>

namespace millrace {

namespace {

constexpr std::size_t kLongestName = 128;  // Longer ones are not compared: the cost is quadratic.
constexpr std::size_t kFarthest = 3;
constexpr std::size_t kMostNames = 1000;  // With more there is no hint.

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string_view nearest_name(std::string_view word, const std::vector<std::string_view>& known) {
  const std::size_t farthest = std::min(kFarthest, std::max<std::size_t>(1, word.size() / 3));
  std::string_view nearest;
  std::size_t least = farthest + 1;
  if (known.size() > kMostNames) {
    return nearest;
  }
  for (const std::string_view name : known) {
    const std::size_t gap = std::max(name.size(), word.size()) - std::min(name.size(), word.size());
    if (gap >= least || std::max(name.size(), word.size()) > kLongestName) {
      continue;
    }
    const std::size_t distance = edit_distance(word, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view name) {
  return name.empty() ? std::string() : "did you mean \"" + std::string(name) + "\"?";
}

}  // namespace millrace
