#include "config/java_regex/pcre.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/check.h"

namespace millrace::java_regex {
namespace {

constexpr std::uint32_t kSteps = 1'000'000;  // About 10 ms.
constexpr std::size_t kStepsPerByte = 16;
constexpr std::uint32_t kMostSteps = 0x7FFF'FFFF;
constexpr std::size_t kFirstStackBytes = std::size_t{32} << 10;
constexpr std::size_t kMostStackBytes = std::size_t{1} << 20;
constexpr std::uint32_t kHeapKib = 16'384;  // Only where there is no JIT.
constexpr std::uint32_t kNesting = 1'000;   // Those that the translation adds, too.

struct ContextDeleter {
  void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
};

std::string words_of(int error) {
  PCRE2_UCHAR text[256] = {};
  pcre2_get_error_message(error, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

PCRE2_SPTR units(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data() == nullptr ? "" : text.data());
}

}  // namespace

void PcreDeleter::operator()(pcre2_code* code) const {
  pcre2_code_free(code);
}
void PcreDeleter::operator()(pcre2_match_data* data) const {
  pcre2_match_data_free(data);
}
void PcreDeleter::operator()(pcre2_match_context* context) const {
  pcre2_match_context_free(context);
}
void PcreDeleter::operator()(pcre2_jit_stack* stack) const {
  pcre2_jit_stack_free(stack);
}

Result<Program> Program::compile(std::string_view pattern, Alphabet alphabet, bool whole) {
  const std::string text = whole ? "(?:" + std::string(pattern) + ")\\z" : std::string(pattern);
  std::uint32_t options = PCRE2_DOTALL | PCRE2_NEVER_BACKSLASH_C;
  options |= alphabet == Alphabet::kUnicode ? PCRE2_UTF | PCRE2_NO_UTF_CHECK : PCRE2_NEVER_UTF;
  options |= whole ? PCRE2_ANCHORED : 0;
  const std::unique_ptr<pcre2_compile_context, ContextDeleter> context(
      pcre2_compile_context_create(nullptr));
  pcre2_set_parens_nest_limit(context.get(), kNesting);
  int error = 0;
  PCRE2_SIZE offset = 0;
  Program program;
  program.code_.reset(
      pcre2_compile(units(text), text.size(), options, &error, &offset, context.get()));
  if (program.code_ == nullptr) {
    return bad_config("has no counterpart in PCRE2: " + words_of(error));
  }
  // Where it fails (no JIT for this machine) PCRE2 interprets the pattern.
  static_cast<void>(pcre2_jit_compile(program.code_.get(), PCRE2_JIT_COMPLETE));
  return program;
}

MatchSpace::MatchSpace(std::uint32_t groups)
    : data_(pcre2_match_data_create(groups + 1, nullptr)),
      stack_(pcre2_jit_stack_create(kFirstStackBytes, kMostStackBytes, nullptr)),
      context_(pcre2_match_context_create(nullptr)) {
  CHECK(data_ != nullptr && context_ != nullptr);
  pcre2_set_heap_limit(context_.get(), kHeapKib);
  pcre2_jit_stack_assign(context_.get(), nullptr, stack_.get());
}

RegexAnswer MatchSpace::run(const Program& program, std::string_view text, std::size_t from) {
  const std::size_t steps = kSteps + kStepsPerByte * text.size();
  pcre2_set_match_limit(context_.get(),
                        steps < kMostSteps ? static_cast<std::uint32_t>(steps) : kMostSteps);
  const int found = pcre2_match(program.code_.get(), units(text), text.size(), from,
                                PCRE2_NO_UTF_CHECK, data_.get(), context_.get());
  if (found > 0) {
    return RegexAnswer::kMatch;
  }
  return found == PCRE2_ERROR_NOMATCH ? RegexAnswer::kNoMatch : RegexAnswer::kGaveUp;
}

std::optional<MatchSpace::Span> MatchSpace::span(std::uint32_t i) const {
  const PCRE2_SIZE* const bounds = pcre2_get_ovector_pointer(data_.get()) + std::size_t{2} * i;
  if (i >= pcre2_get_ovector_count(data_.get()) || bounds[0] == PCRE2_UNSET) {
    return std::nullopt;
  }
  return Span{bounds[0], bounds[1]};
}

}  // namespace millrace::java_regex
