#include "source/syslog/custom_format.h"

#include <utility>

#include "config/java_regex/java_regex.h"
#include "source/syslog/date_pattern.h"

namespace millrace {
namespace {

constexpr std::size_t kLongestTime = 4096;  // After replacing.

struct TimeRewrite {
  JavaRegex search;
  JavaReplacement replacement;
};

Result<TimeRewrite> time_rewrite(const CustomFormatOptions& options) {
  JavaRegex search = TRY(JavaRegex::compile(options.search).with("format.search"));
  JavaReplacement replacement = TRY(search.replacement(options.replace).with("format.replace"));
  return TimeRewrite{std::move(search), std::move(replacement)};
}

}  // namespace

struct CustomFormat::Compiled {
  std::optional<std::int64_t> read_time(std::string_view text, SyslogTime& time);

  JavaRegex regex;
  std::optional<TimeRewrite> rewrite;
  std::optional<DatePattern> date_pattern;
};

Result<CustomFormat> CustomFormat::compile(const CustomFormatOptions& options) {
  Compiled compiled{TRY(JavaRegex::compile(options.regex).with("format.regex"))};
  if (!options.search.empty()) {
    compiled.rewrite = TRY(time_rewrite(options));
  }
  if (!options.date_format.empty()) {
    compiled.date_pattern = TRY(DatePattern::compile(options.date_format));
  }
  CustomFormat format;
  format.compiled_ = std::make_shared<Compiled>(std::move(compiled));
  return format;
}

bool CustomFormat::match(std::string_view line, SyslogTime& time, SyslogMessage& message) const {
  JavaRegex& regex = compiled_->regex;
  if (regex.matches(line) != RegexAnswer::kMatch) {
    return false;
  }
  const auto group = [&regex](std::uint32_t i) {
    return regex.group_bytes(i).value_or(std::string_view());
  };
  message.priority_text = group(1);
  message.version = group(2);
  message.timestamp_text = group(3);
  message.host_text = group(4);
  message.has_host = !message.host_text.empty();
  message.text = group(5);
  message.head_size = 0;
  message.timestamp_ms = compiled_->read_time(message.timestamp_text, time);
  message.form = SyslogForm::kWhole;
  return true;
}

std::optional<std::int64_t> CustomFormat::Compiled::read_time(std::string_view text,
                                                              SyslogTime& time) {
  if (!date_pattern || text.empty()) {
    return std::nullopt;
  }
  std::string rewritten;
  if (rewrite) {
    const RegexAnswer answer =
        rewrite->search.replace_all(text, rewrite->replacement, kLongestTime, rewritten);
    if (answer == RegexAnswer::kGaveUp) {
      return std::nullopt;
    }
    text = answer == RegexAnswer::kMatch ? std::string_view(rewritten) : text;
  }
  return date_pattern->parse(text, time);
}

}  // namespace millrace
