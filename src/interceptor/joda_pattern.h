// Reads times by a pattern of Joda-Time's DateTimeFormat (API documentation 2.9), as the millis
// serializer takes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace {

// Knows y Y M d H k h K m s S a E Z, quoted text and literals; names are English, offsets are
// +hhmm, +hh:mm or Z. As in Joda-Time the whole text has to fit and every number has to be one of a
// calendar; a time without a zone is of the agent's (TZ), and one that names a month or day but no
// year is of 2000. Threads: any, it never changes.
class JodaPattern {
 public:
  // kConfig for an empty pattern, an open quote or an unknown letter.
  static Result<JodaPattern> compile(std::string_view pattern);

  // Epoch milliseconds; nothing when `text` does not fit.
  std::optional<std::int64_t> parse(std::string_view text) const;

 private:
  struct Piece {
    char letter = 0;  // 0: a literal.
    std::size_t count = 0;
    bool number_follows = false;  // Then only `count` digits are this one's.
    std::string literal;
  };
  struct Reading;

  Result<> add(std::string_view& rest);
  static bool is_word(const Piece& piece);
  static bool read_word(const Piece& piece, std::string_view& text, Reading& reading);
  static bool read_number(const Piece& piece, std::string_view& text, Reading& reading);

  std::vector<Piece> pieces_;
};

}  // namespace millrace
