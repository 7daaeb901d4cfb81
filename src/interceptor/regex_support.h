// What the interceptors with a regular expression share.
#pragma once

#include <string>

#include "config/fields.h"
#include "config/java_regex/java_regex.h"
#include "core/component.h"

namespace millrace {

// A fault of the key when the pattern does not do. Empty text is left to required().
void check_regex(ConfigCheck& check, std::string_view key, const std::string& pattern);

// A pattern that check_regex() has passed.
JavaRegex checked_regex(const std::string& pattern);

// Events that an interceptor could do nothing with, and let pass as they are: counted, and said at
// once, then at most once a minute. Threads: the source's alone.
class PassedOver {
 public:
  // `what` is the end of a sentence: "the search gave up".
  PassedOver(const InterceptorContext& context, std::string_view counter, std::string what);
  // Bump for each event, then once a batch call say_if_any().
  void add() { ++new_; }
  void say_if_any();

 private:
  const std::string name_;
  const std::string what_;
  Clock& clock_;
  Counter& counter_;
  std::uint64_t new_ = 0;
  std::uint64_t unsaid_ = 0;
  SteadyTime said_at_{};
};

inline constexpr std::string_view kGaveUpCounter = "EventRegexGaveUpCount";

}  // namespace millrace
