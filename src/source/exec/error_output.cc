#include "source/exec/error_output.h"

#include <unistd.h>

#include <cerrno>

#include "base/log.h"

namespace millrace {
namespace {

constexpr std::size_t kLongestLine = 2000;  // Bytes; a longer one is logged in parts.

}  // namespace

void ErrorOutput::read(ChildProcess& child) {
  char bytes[16 * 1024];
  while (child.errors()) {
    const ssize_t count = ::read(child.errors().get(), bytes, sizeof bytes);
    if (count > 0) {
      add({bytes, static_cast<std::size_t>(count)});
      continue;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      add("\n");
      child.close_errors();
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

void ErrorOutput::add(std::string_view bytes) {
  if (!log_) {
    return;
  }
  for (const char c : bytes) {
    if (c != '\n') {
      line_ += c;
    }
    if ((c == '\n' && !line_.empty()) || line_.size() >= kLongestLine) {
      log_info(component_, "stderr: {}", line_);
      line_.clear();
    }
  }
}

}  // namespace millrace
