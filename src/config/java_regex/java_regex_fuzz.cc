// Goal: no pattern, replacement or text crashes or hangs the translator or the matcher, and PCRE2
// refuses no pattern that the translator took but for its size.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "config/java_regex/java_regex.h"

// The input: pattern, line end, replacement, line end, text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto take_line = [&rest] {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : rest.size());
    return line;
  };
  const std::string_view pattern = take_line();
  const std::string_view replacement_text = take_line();
  millrace::Result<millrace::JavaRegex> regex = millrace::JavaRegex::compile(pattern);
  if (!regex.ok()) {
    CHECK(!regex.error().message().empty());
    return 0;
  }
  const bool whole = regex->matches(rest) == millrace::RegexAnswer::kMatch;
  const millrace::RegexAnswer found = regex->find(rest);
  CHECK(!whole || found != millrace::RegexAnswer::kNoMatch);
  if (found == millrace::RegexAnswer::kMatch) {
    CHECK(regex->group(0).has_value());
    for (std::uint32_t i = 0; i <= regex->groups(); ++i) {
      CHECK(regex->group(i).value_or("").size() <= 3 * rest.size());
      const std::string_view bytes = regex->group_bytes(i).value_or(rest);
      CHECK(bytes.data() >= rest.data() && bytes.size() <= rest.size());
    }
  }
  const auto replacement = regex->replacement(replacement_text);
  if (replacement.ok()) {
    std::string out;
    static_cast<void>(regex->replace_all(rest, *replacement, std::size_t{1} << 20, out));
  }
  return 0;
}
