// PCRE2 10.42 as Java's patterns use it: compiled programs, and where they run.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "config/java_regex/emitter.h"
#include "config/java_regex/regex_answer.h"

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;
struct pcre2_real_match_context_8;
struct pcre2_real_jit_stack_8;

namespace millrace::java_regex {

struct PcreDeleter {
  void operator()(pcre2_real_code_8* code) const;
  void operator()(pcre2_real_match_data_8* data) const;
  void operator()(pcre2_real_match_context_8* context) const;
  void operator()(pcre2_real_jit_stack_8* stack) const;
};
template <class T>
using PcrePtr = std::unique_ptr<T, PcreDeleter>;

// Machine code for texts of one alphabet. Threads: any, it never changes.
class Program {
 public:
  // `whole`: it matches only a whole text. kConfig, in PCRE2's words, when it refuses.
  static Result<Program> compile(const Emitted& pattern, Alphabet alphabet, bool whole);

 private:
  friend class MatchSpace;
  PcrePtr<pcre2_real_code_8> code_;
  PcrePtr<pcre2_real_code_8> windowed_;  // For a few starting places at a time; null where a
                                         // place is what a search begins at: whole texts, \G.
  PcrePtr<pcre2_real_code_8> timed_;     // Slower: it can be stopped.
  bool whole_ = false;
};

// The place behind the character at `at`, which lies in the text or at its end.
std::size_t next_character(std::string_view text, std::size_t at);

// Where programs run, and what the last of them found.
//
// PCRE2 counts its steps anew for each place that a match may start at, and a step may read all of
// the text. So a search begins window by window, with a few starting places and steps each; one
// that is not done soon goes on in a slower program that looks at the clock, until its text has had
// its processor time. Threads: one at a time.
class MatchSpace {
 public:
  explicit MatchSpace(std::uint32_t groups);

  // Before the searches in another text: their time is reckoned together.
  void begin();
  // `text` is the one that begin() was called for, of the program's alphabet, and valid UTF-8.
  RegexAnswer run(const Program& program, std::string_view text, std::size_t from = 0);
  struct Span {
    std::size_t from;
    std::size_t to;
  };
  // Where group `i` lies in the text; nothing when it took no part.
  std::optional<Span> span(std::uint32_t i) const;

 private:
  enum class Outcome { kNoMatch, kMatch, kOutOfSteps, kGaveUp };
  static constexpr std::size_t kNoWindow = ~std::size_t{0};

  // Nothing when it takes long: `next` is the first place not tried then.
  std::optional<RegexAnswer> run_quickly(const Program& program, std::string_view text,
                                         std::size_t& next);
  std::optional<RegexAnswer> run_by_windows(const Program& program, std::string_view text,
                                            std::size_t& next);
  RegexAnswer run_timed(const Program& program, std::string_view text, std::size_t from);
  Outcome attempt(const pcre2_real_code_8* code, std::string_view text, std::size_t from,
                  std::size_t last_start, std::size_t steps);

  bool is_slow_ = false;              // This text is: the clock is looked at all the time.
  std::chrono::nanoseconds spent_{};  // Of processor time, on this text.
  PcrePtr<pcre2_real_match_data_8> data_;
  PcrePtr<pcre2_real_jit_stack_8> stack_;
  PcrePtr<pcre2_real_match_context_8> context_;
};

}  // namespace millrace::java_regex
