#include "config/java_regex/pcre.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <time.h>

#include <algorithm>

#include "base/check.h"

namespace millrace::java_regex {
namespace {

// A step reads a byte or all of them: what counts is steps times bytes.
constexpr std::size_t kSteps = 1'000'000;  // From one starting place.
constexpr std::size_t kStepsPerByte = 4;   // At least.
constexpr std::size_t kBytesOfStart = 400'000'000;
constexpr std::size_t kBytesOfWindow = 100'000'000;
constexpr std::size_t kLeastSteps = 16;
constexpr std::size_t kMostSteps = 0x7FFF'FFFF;
constexpr std::size_t kNarrower = 16;
constexpr std::chrono::milliseconds kQuick{1};
constexpr std::chrono::nanoseconds kUnknown{0};
constexpr std::chrono::milliseconds kTime{100};
constexpr std::chrono::nanoseconds kTimePerByte{200};
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

std::chrono::nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::size_t steps_of_start(std::size_t bytes) {
  return std::max(std::min(kSteps, kBytesOfStart / (bytes + 1)),
                  kSteps / 100 + kStepsPerByte * bytes);
}
std::size_t steps_of_window(std::size_t width, std::size_t bytes) {
  return std::clamp(kBytesOfWindow / (width * (bytes + 1)), kLeastSteps, kSteps);
}

PCRE2_SPTR units(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data() == nullptr ? "" : text.data());
}

// Where JIT fails (none for this machine) PCRE2 interprets the pattern.
Result<PcrePtr<pcre2_code>> code_of(const std::string& text, std::uint32_t options) {
  const std::unique_ptr<pcre2_compile_context, ContextDeleter> context(
      pcre2_compile_context_create(nullptr));
  pcre2_set_parens_nest_limit(context.get(), kNesting);
  int error = 0;
  PCRE2_SIZE offset = 0;
  PcrePtr<pcre2_code> code(
      pcre2_compile(units(text), text.size(), options, &error, &offset, context.get()));
  if (code == nullptr) {
    return bad_config("has no counterpart in PCRE2: " + words_of(error));
  }
  static_cast<void>(pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE));
  return code;
}

}  // namespace

std::size_t next_character(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
    ++at;
  }
  return at;
}

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
  Program program;
  program.code_ = TRY(code_of(text, options));
  // \G is the place where a search begins, and so may each window.
  if (!whole && pattern.find("\\G") == std::string_view::npos) {
    program.windowed_ = TRY(code_of(text, options | PCRE2_USE_OFFSET_LIMIT));
  }
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

void MatchSpace::begin(std::string_view text) {
  width_ =
      std::clamp<std::size_t>(kBytesOfWindow / kLeastSteps / (text.size() + 1), 1, text.size() + 1);
  is_slow_ = false;
  spent_ = {};
}

RegexAnswer MatchSpace::run(const Program& program, std::string_view text, std::size_t from) {
  return program.windowed_ ? run_by_windows(program, text, from) : run_at_once(program, text, from);
}

RegexAnswer MatchSpace::run_at_once(const Program& program, std::string_view text,
                                    std::size_t from) {
  const Outcome outcome = attempt(program, text, from, kNoWindow, steps_of_start(text.size()));
  return outcome == Outcome::kMatch     ? RegexAnswer::kMatch
         : outcome == Outcome::kNoMatch ? RegexAnswer::kNoMatch
                                        : RegexAnswer::kGaveUp;
}

// A window that runs out of steps is tried again as a narrower one; of one place all steps are due.
RegexAnswer MatchSpace::run_by_windows(const Program& program, std::string_view text,
                                       std::size_t from) {
  const std::chrono::nanoseconds time = kTime + kTimePerByte * text.size();
  for (std::size_t next = from; from <= text.size(); from = next) {
    const std::size_t last =
        width_ > text.size() - from ? text.size() : next_character(text, from + width_ - 1) - 1;
    const std::size_t steps =
        width_ == 1 ? steps_of_start(text.size()) : steps_of_window(width_, text.size());
    if (spent_ > time) {
      return RegexAnswer::kGaveUp;
    }
    const std::chrono::nanoseconds began = is_slow_ ? processor_time() : kUnknown;
    const Outcome outcome = attempt(program, text, from, last, steps);
    const std::chrono::nanoseconds took = is_slow_ ? processor_time() - began : kUnknown;
    spent_ += took;
    if (outcome == Outcome::kMatch) {
      return RegexAnswer::kMatch;
    }
    if (outcome == Outcome::kGaveUp || (outcome == Outcome::kOutOfSteps && width_ == 1)) {
      return RegexAnswer::kGaveUp;
    }
    if (outcome == Outcome::kNoMatch) {
      next = last + 1;
      width_ = is_slow_ && took < kQuick ? 2 * width_ : width_;
    } else {
      width_ = std::max<std::size_t>(width_ / kNarrower, 1);
    }
    is_slow_ = true;
  }
  return RegexAnswer::kNoMatch;
}

MatchSpace::Outcome MatchSpace::attempt(const Program& program, std::string_view text,
                                        std::size_t from, std::size_t last_start,
                                        std::size_t steps) {
  pcre2_set_match_limit(context_.get(), static_cast<std::uint32_t>(std::min(steps, kMostSteps)));
  const bool is_window = last_start < text.size();
  pcre2_set_offset_limit(context_.get(), is_window ? last_start : PCRE2_UNSET);
  const pcre2_code* const code = is_window ? program.windowed_.get() : program.code_.get();
  const int found = pcre2_match(code, units(text), text.size(), from, PCRE2_NO_UTF_CHECK,
                                data_.get(), context_.get());
  if (found > 0) {
    return Outcome::kMatch;
  }
  return found == PCRE2_ERROR_NOMATCH      ? Outcome::kNoMatch
         : found == PCRE2_ERROR_MATCHLIMIT ? Outcome::kOutOfSteps
                                           : Outcome::kGaveUp;
}

std::optional<MatchSpace::Span> MatchSpace::span(std::uint32_t i) const {
  const PCRE2_SIZE* const bounds = pcre2_get_ovector_pointer(data_.get()) + std::size_t{2} * i;
  if (i >= pcre2_get_ovector_count(data_.get()) || bounds[0] == PCRE2_UNSET) {
    return std::nullopt;
  }
  return Span{bounds[0], bounds[1]};
}

}  // namespace millrace::java_regex
