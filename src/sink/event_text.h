// A text with escapes that an event fills in: %{header}, %Y, %[localhost] (Flume 1.11, BucketPath).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace {

// What the words of %[WORD] stand for.
struct HostWords {
  std::string localhost;
  std::string ip;
  std::string fqdn;
};
HostWords host_words_of_machine();

// Compiled once; what it is made of is read piece by piece. Threads: any, it never changes.
class EventText {
 public:
  struct Piece {
    enum class Kind {
      kLiteral,
      kHeader,   // The value of `text`, or nothing.
      kTime,     // %letter, of the event's time.
      kRawTime,  // %t: the timestamp header as it is.
    } kind = Kind::kLiteral;
    std::string text;  // Of a literal, or the header's name.
    char letter = 0;
  };

  EventText() = default;
  // kConfig for %[WORD] of no known word, in any case.
  static Result<EventText> parse(std::string_view text, const HostWords& host);

  const std::vector<Piece>& pieces() const { return pieces_; }
  // Some piece is of the event's time.
  bool needs_time() const;
  // What every text begins with, whatever the event.
  std::string_view fixed_beginning() const;

 private:
  void add_literal(std::string_view text);
  bool take_escape(std::string_view& rest);
  Result<bool> take_word(std::string_view& rest, const HostWords& host);

  std::vector<Piece> pieces_;
};

}  // namespace millrace
