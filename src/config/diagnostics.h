// What is wrong, or odd, in a configuration: all of it at once, each with file, line, key and
// value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

enum class Severity { kWarning, kError };

// One finding. Whoever makes it leaves `value` empty when the value is a secret.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string file;      // Empty: from no file (a flag, a test).
  std::size_t line = 0;  // From 1; 0 = the file as a whole.
  std::string key;       // In full: "a1.sources.r1.port". Empty: about no single key.
  std::string value;     // Empty: not shown.
  std::string message;   // What was expected, or what follows: "expected a whole number".
  std::string hint;      // What to do: `did you mean "port"?`. Empty: none.

  // file:line: error: a1.sources.r1.port = "x": message; hint
  // Control characters of the value are escaped and a long one is cut, so that it stays one line.
  std::string to_string() const;
};

// Collects findings in the order in which they are made. Threads: one at a time.
class Diagnostics {
 public:
  // What a config filter gave may be a secret: later findings show `use` (`${f1["key"]}`) in its
  // place, and in the place of what they quote of it.
  void hide(std::string secret, std::string use);
  // `text` with all that is hidden replaced. Words of less than four bytes stay, as a quoted piece
  // of less than three does: they tell nothing, and stand in every text.
  std::string masked(std::string text) const;

  void add(Diagnostic diagnostic);
  void append(const Diagnostics& others);

  const std::vector<Diagnostic>& items() const { return items_; }
  bool empty() const { return items_.empty(); }
  bool has_errors() const { return errors_ != 0; }
  std::size_t error_count() const { return errors_; }
  std::size_t warning_count() const { return items_.size() - errors_; }

  // One line each.
  std::string to_string() const;

 private:
  struct Hidden {
    std::string secret;
    std::string use;
  };
  std::string without_quoted(std::string_view text) const;

  std::vector<Hidden> hidden_;
  std::vector<Diagnostic> items_;
  std::size_t errors_ = 0;
};

}  // namespace millrace
