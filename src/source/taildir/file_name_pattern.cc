#include "source/taildir/file_name_pattern.h"

#include <regex>

namespace millrace {

struct FileNamePattern::Compiled {
  std::regex expression;
};

Result<FileNamePattern> FileNamePattern::make(const std::string& expression) {
  try {
    return FileNamePattern(std::make_shared<const Compiled>(
        Compiled{std::regex(expression, std::regex::ECMAScript | std::regex::optimize)}));
  } catch (const std::regex_error& error) {
    return bad_config("\"" + expression + "\" is no regular expression: " + error.what());
  }
}

bool FileNamePattern::matches(std::string_view name) const {
  return std::regex_match(name.begin(), name.end(), compiled_->expression);
}

}  // namespace millrace
