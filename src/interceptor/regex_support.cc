#include "interceptor/regex_support.h"

#include "base/check.h"
#include "base/log.h"

namespace millrace {

void check_regex(ConfigCheck& check, std::string_view key, const std::string& pattern) {
  const Result<JavaRegex> regex = JavaRegex::compile(pattern);
  if (!regex.ok()) {
    check.fault(key, "is no regular expression: " + regex.error().message());
  }
}

JavaRegex checked_regex(const std::string& pattern) {
  Result<JavaRegex> regex = JavaRegex::compile(pattern);
  CHECK(regex.ok());
  return std::move(regex).value();
}

PassedOver::PassedOver(const InterceptorContext& context, std::string_view counter,
                       std::string what)
    : name_("interceptor " + context.name),
      what_(std::move(what)),
      clock_(context.services.clock),
      counter_(context.services.metrics.group("INTERCEPTOR", context.name).counter(counter)) {}

void PassedOver::say_if_any() {
  if (new_ == 0) {
    return;
  }
  counter_.add(new_);
  unsaid_ += std::exchange(new_, 0);
  const SteadyTime now = clock_.steady();
  if (said_at_ == SteadyTime{} || now - said_at_ >= std::chrono::minutes(1)) {
    said_at_ = now;
    log_warning(name_, "{} event(s) pass as they are: {}", std::exchange(unsaid_, 0), what_);
  }
}

}  // namespace millrace
