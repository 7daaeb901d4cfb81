// CHECK for what cannot happen: a failed one ends the process, and recovery is tested for that.
#pragma once

namespace millrace {

// Prints the condition and where it stands to stderr, then aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace millrace

#define CHECK(condition)                                        \
  do {                                                          \
    if (!(condition)) [[unlikely]] {                            \
      ::millrace::check_failed(#condition, __FILE__, __LINE__); \
    }                                                           \
  } while (false)

#ifdef NDEBUG
#define DCHECK(condition) \
  do {                    \
  } while (false)
#else
#define DCHECK(condition) CHECK(condition)
#endif
