#include "source/syslog/custom_format.h"

namespace millrace {
namespace {

// std::regex takes ECMAScript's grammar: Java's, but for possessive quantifiers, look-behind, named
// groups and inline flags, which it refuses.
Result<std::regex> compile_regex(const std::string& text) {
  try {
    return std::regex(text, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    return bad_config("regular expression \"" + text + "\": " + error.what());
  }
}

}  // namespace

Result<CustomFormat> CustomFormat::compile(const CustomFormatOptions& options) {
  CustomFormat format;
  format.regex_ = TRY(compile_regex(options.regex));
  if (!options.search.empty()) {
    format.search_ = TRY(compile_regex(options.search));
  }
  format.replace_ = options.replace;
  if (!options.date_format.empty()) {
    format.date_pattern_ = TRY(DatePattern::compile(options.date_format));
  }
  return format;
}

bool CustomFormat::match(std::string_view line, SyslogTime& time, SyslogMessage& message) const {
  if (line.size() > kLongestLine) {
    return false;
  }
  std::cmatch match;
  try {
    if (!std::regex_match(line.data(), line.data() + line.size(), match, regex_)) {
      return false;
    }
  } catch (const std::regex_error&) {  // Too complex for this line: the built-in formats have it.
    return false;
  }
  const auto group = [&](std::size_t i) {
    return i < match.size() && match[i].matched
               ? std::string_view(match[i].first, static_cast<std::size_t>(match[i].length()))
               : std::string_view();
  };
  message.priority_text = group(1);
  message.version = group(2);
  message.timestamp_text = group(3);
  message.host_text = group(4);
  message.has_host = !message.host_text.empty();
  message.text = group(5);
  message.head_size = 0;
  message.timestamp_ms = read_time(std::string(message.timestamp_text), time);
  message.form = SyslogForm::kWhole;
  return true;
}

std::optional<std::int64_t> CustomFormat::read_time(std::string text, SyslogTime& time) const {
  if (!date_pattern_ || text.empty()) {
    return std::nullopt;
  }
  if (search_) {
    try {
      text = std::regex_replace(text, *search_, replace_);
    } catch (const std::regex_error&) {
      return std::nullopt;
    }
  }
  return date_pattern_->parse(text, time);
}

}  // namespace millrace
