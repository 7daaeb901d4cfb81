// The last part of a file group's path: a regular expression for the names of files.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millrace {

// Threads: one at a time.
class FileNamePattern {
 public:
  // kConfig, saying why, for a text that is no expression.
  static Result<FileNamePattern> make(const std::string& expression);

  // Whether it matches all of `name`, as Java's Matcher.matches() would.
  bool matches(std::string_view name) const;

 private:
  struct Compiled;
  explicit FileNamePattern(std::shared_ptr<const Compiled> compiled)
      : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace millrace
