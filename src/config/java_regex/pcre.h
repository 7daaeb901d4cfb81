// PCRE2 10.42 as Java's patterns use it: compiled programs, and where they run.
#pragma once

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
  static Result<Program> compile(std::string_view pattern, Alphabet alphabet, bool whole);

 private:
  friend class MatchSpace;
  PcrePtr<pcre2_real_code_8> code_;
};

// Where programs run, and what the last of them found. Threads: one at a time.
class MatchSpace {
 public:
  explicit MatchSpace(std::uint32_t groups);

  // `text` is of the program's alphabet, and valid UTF-8.
  RegexAnswer run(const Program& program, std::string_view text, std::size_t from = 0);
  struct Span {
    std::size_t from;
    std::size_t to;
  };
  // Where group `i` lies in the text; nothing when it took no part.
  std::optional<Span> span(std::uint32_t i) const;

 private:
  PcrePtr<pcre2_real_match_data_8> data_;
  PcrePtr<pcre2_real_jit_stack_8> stack_;
  PcrePtr<pcre2_real_match_context_8> context_;
};

}  // namespace millrace::java_regex
