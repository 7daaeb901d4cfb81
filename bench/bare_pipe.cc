// The floor of the exec scenarios: a loop that reads a command's pipe and does nothing with the
// bytes.
//
// usage: bare_pipe PORT COUNT_FILE COMMAND
// Listens on 127.0.0.1:PORT so that the rig sees it start, runs COMMAND in a shell with a 1 MiB
// pipe, as the exec source does, and keeps the number of bytes read so far in COUNT_FILE, as
// decimal text.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr int kPipeBytes = 1 << 20;
constexpr std::size_t kReadBytes = 256 * 1024;
constexpr std::size_t kSlabs = 64;  // As much memory in turn as a memory channel's batches.
constexpr std::size_t kReportBytes = 8 << 20;  // Between two counts.

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

void listen_on(int port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, 16) != 0) {
    fail("listen");
  }
}

void report(int file, std::size_t bytes) {
  const std::string text = std::to_string(bytes) + "\n";
  if (::pwrite(file, text.data(), text.size(), 0) < 0) {
    fail("count");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: bare_pipe PORT COUNT_FILE COMMAND\n", stderr);
    return 2;
  }
  const int counts = ::open(argv[2], O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  std::FILE* const command = ::popen(argv[3], "r");
  if (counts < 0 || command == nullptr) {
    fail(argv[3]);
  }
  const int pipe = ::fileno(command);
  ::fcntl(pipe, F_SETPIPE_SZ, kPipeBytes);
  listen_on(std::atoi(argv[1]));
  // Page-aligned: to a place a few bytes into a page the kernel copies half as fast.
  char* const slabs = static_cast<char*>(std::aligned_alloc(4096, kSlabs * kReadBytes));
  std::size_t bytes = 0;
  std::size_t reported = 0;
  for (std::size_t slab = 0;; slab = (slab + 1) % kSlabs) {
    const ssize_t count = ::read(pipe, slabs + slab * kReadBytes, kReadBytes);
    if (count <= 0) {
      break;
    }
    bytes += static_cast<std::size_t>(count);
    if (bytes - reported >= kReportBytes) {
      report(counts, bytes);
      reported = bytes;
    }
  }
  report(counts, bytes);
  ::pause();  // The rig reads our figures, then ends us.
  return 0;
}
