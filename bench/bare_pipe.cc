// The floor of exec -> memory -> null: a loop that reads a command's pipe and does nothing with the
// bytes.
//
// usage: bare_pipe PORT COUNT_FILE COMMAND
// Listens on 127.0.0.1:PORT; keeps the number of bytes read so far in COUNT_FILE.
#include "bare.h"

namespace {

constexpr std::size_t kReadBytes = 256 * 1024;
constexpr std::size_t kSlabs = 64;  // As much memory in turn as a memory channel's batches.

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: bare_pipe PORT COUNT_FILE COMMAND\n", stderr);
    return 2;
  }
  bare::Count count(argv[2]);
  const int pipe = bare::run_command(argv[3]);
  bare::listen_on(std::atoi(argv[1]));
  char* const slabs = bare::pages(kSlabs * kReadBytes);
  for (std::size_t slab = 0;; slab = (slab + 1) % kSlabs) {
    const ssize_t bytes = ::read(pipe, slabs + slab * kReadBytes, kReadBytes);
    if (bytes <= 0) {
      break;
    }
    count.add(static_cast<std::size_t>(bytes));
    count.write_now_and_then();
  }
  count.write();
  ::pause();  // The rig reads our figures, then ends us.
  return 0;
}
