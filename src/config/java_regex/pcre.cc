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
constexpr std::chrono::milliseconds kQuick{1};
constexpr unsigned kCalloutsPerLook = 32;  // At the clock, which takes as long as some dozen.
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

// Until when a timed program runs; asked at each of its callouts.
struct Deadline {
  std::chrono::nanoseconds until;  // Processor time of the thread.
  unsigned callouts = 0;
};
int look_at_clock(pcre2_callout_block*, void* data) {
  auto& deadline = *static_cast<Deadline*>(data);
  const bool looks = ++deadline.callouts % kCalloutsPerLook == 0;
  return looks && processor_time() > deadline.until ? PCRE2_ERROR_CALLOUT : 0;
}

std::size_t steps_of_start(std::size_t bytes) {
  return std::max(std::min(kSteps, kBytesOfStart / (bytes + 1)),
                  kSteps / 100 + kStepsPerByte * bytes);
}
std::size_t steps_of_window(std::size_t width, std::size_t bytes) {
  const std::size_t bytes_of_step = std::max<std::size_t>(width * (bytes + 1), 1);
  return std::clamp(kBytesOfWindow / bytes_of_step, kLeastSteps, kSteps);
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

Result<Program> Program::compile(const Emitted& pattern, Alphabet alphabet, bool whole) {
  const auto text = [whole](const std::string& emitted) {
    return whole ? "(?:" + emitted + ")\\z" : emitted;
  };
  std::uint32_t options = PCRE2_DOTALL | PCRE2_NEVER_BACKSLASH_C;
  options |= alphabet == Alphabet::kUnicode ? PCRE2_UTF | PCRE2_NO_UTF_CHECK : PCRE2_NEVER_UTF;
  options |= whole ? PCRE2_ANCHORED : 0;
  Program program;
  program.code_ = TRY(code_of(text(pattern.quick), options));
  program.timed_ = TRY(code_of(text(pattern.timed), options));
  program.whole_ = whole;
  // \G is the place where a search begins, and so may each window.
  if (!whole && pattern.quick.find("\\G") == std::string_view::npos) {
    program.windowed_ = TRY(code_of(pattern.quick, options | PCRE2_USE_OFFSET_LIMIT));
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

void MatchSpace::begin() {
  is_slow_ = false;
  spent_ = {};
}

RegexAnswer MatchSpace::run(const Program& program, std::string_view text, std::size_t from) {
  if (!is_slow_) {
    if (const std::optional<RegexAnswer> answer = run_quickly(program, text, from)) {
      return *answer;
    }
    is_slow_ = true;
  }
  return run_timed(program, text, from);
}

std::optional<RegexAnswer> MatchSpace::run_quickly(const Program& program, std::string_view text,
                                                   std::size_t& next) {
  if (program.windowed_) {
    return run_by_windows(program, text, next);
  }
  if (!program.whole_) {
    return std::nullopt;
  }
  const std::size_t steps = steps_of_window(1, text.size());
  switch (attempt(program.code_.get(), text, next, kNoWindow, steps)) {
    case Outcome::kMatch:
      return RegexAnswer::kMatch;
    case Outcome::kNoMatch:
      return RegexAnswer::kNoMatch;
    case Outcome::kOutOfSteps:
      return steps < steps_of_start(text.size()) ? std::nullopt
                                                 : std::optional(RegexAnswer::kGaveUp);
    case Outcome::kGaveUp:
      break;
  }
  return RegexAnswer::kGaveUp;
}

// A text of one window is one attempt, without a look at the clock.
std::optional<RegexAnswer> MatchSpace::run_by_windows(const Program& program, std::string_view text,
                                                      std::size_t& next) {
  std::size_t width =
      std::clamp<std::size_t>(kBytesOfWindow / kLeastSteps / (text.size() + 1), 1, text.size() + 1);
  std::chrono::nanoseconds began{};
  while (next <= text.size()) {
    const bool is_last = width > text.size() - next;
    const std::size_t last = is_last ? text.size() : next_character(text, next + width - 1) - 1;
    const pcre2_code* const code = is_last ? program.code_.get() : program.windowed_.get();
    switch (attempt(code, text, next, is_last ? kNoWindow : last,
                    steps_of_window(width, text.size()))) {
      case Outcome::kMatch:
        return RegexAnswer::kMatch;
      case Outcome::kGaveUp:
        return RegexAnswer::kGaveUp;
      case Outcome::kOutOfSteps:
        return std::nullopt;
      case Outcome::kNoMatch:
        break;
    }
    next = last + 1;
    if (is_last) {
      break;
    }
    const std::chrono::nanoseconds now = processor_time();
    if (began.count() != 0 && now - began > kQuick) {
      return std::nullopt;
    }
    width *= began.count() != 0 ? 2 : 1;
    began = now;
  }
  return RegexAnswer::kNoMatch;
}

RegexAnswer MatchSpace::run_timed(const Program& program, std::string_view text, std::size_t from) {
  const std::chrono::nanoseconds time = kTime + kTimePerByte * text.size();
  if (spent_ > time) {
    return RegexAnswer::kGaveUp;
  }
  const std::chrono::nanoseconds began = processor_time();
  Deadline deadline{began + time - spent_};
  pcre2_set_callout(context_.get(), look_at_clock, &deadline);
  const Outcome outcome =
      attempt(program.timed_.get(), text, from, kNoWindow, steps_of_start(text.size()));
  pcre2_set_callout(context_.get(), nullptr, nullptr);
  spent_ += processor_time() - began;
  return outcome == Outcome::kMatch     ? RegexAnswer::kMatch
         : outcome == Outcome::kNoMatch ? RegexAnswer::kNoMatch
                                        : RegexAnswer::kGaveUp;
}

MatchSpace::Outcome MatchSpace::attempt(const pcre2_code* code, std::string_view text,
                                        std::size_t from, std::size_t last_start,
                                        std::size_t steps) {
  pcre2_set_match_limit(context_.get(), static_cast<std::uint32_t>(std::min(steps, kMostSteps)));
  pcre2_set_offset_limit(context_.get(), last_start == kNoWindow ? PCRE2_UNSET : last_start);
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
