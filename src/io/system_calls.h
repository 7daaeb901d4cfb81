// What calls of the kernel on files have in common. Included by real_file*.cc alone.
#pragma once

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millrace {

// What errno says, as "cannot open /a/b: …".
inline Error file_error(std::string_view what, const std::filesystem::path& path) {
  const int error_number = errno;  // Before the text below may change it.
  return system_error("cannot " + std::string(what) + " " + path.string(), error_number);
}

// Calls `call` again as long as a signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

}  // namespace millrace
