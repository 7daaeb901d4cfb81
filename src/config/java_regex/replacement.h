// What Java's Matcher.replaceAll() puts in the place of a match: text, $1, ${name}, \x.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace {

class JavaReplacement {
 public:
  struct Piece {
    std::string text;
    bool is_group = false;
    std::uint32_t group = 0;
  };
  using Names = std::map<std::string, std::uint32_t, std::less<>>;

  // kConfig for what makes Java throw: a group that the pattern has not, a lone $ or \ at the end.
  static Result<JavaReplacement> compile(std::string_view text, std::uint32_t groups,
                                         const Names& names);
  const std::vector<Piece>& pieces() const { return pieces_; }

 private:
  std::vector<Piece> pieces_;
};

}  // namespace millrace
