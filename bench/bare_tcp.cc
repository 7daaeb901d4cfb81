// The floor of the network sources: a loop that reads all connections of some ports and does
// nothing with the bytes.
//
// usage: bare_tcp PORT COUNT_FILE PORTS
// Listens on 127.0.0.1:PORT and on PORTS, which have commas between them; keeps the number of bytes
// read so far in COUNT_FILE.
#include <sys/epoll.h>

#include <array>
#include <sstream>
#include <vector>

#include "bare.h"

namespace {

constexpr std::size_t kReadBytes = 256 * 1024;
constexpr std::size_t kSlabs = 64;  // As much memory in turn as a memory channel's batches.
constexpr std::uint32_t kListener = 1;

void watch(int epoll, int descriptor, std::uint64_t mark) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = mark << 32 | static_cast<std::uint32_t>(descriptor);
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) {
    bare::fail("epoll_ctl");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: bare_tcp PORT COUNT_FILE PORTS\n", stderr);
    return 2;
  }
  bare::Count count(argv[2]);
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  std::istringstream ports(argv[3]);
  for (std::string port; std::getline(ports, port, ',');) {
    watch(epoll, bare::listen_on(std::stoi(port)), kListener);
  }
  bare::listen_on(std::atoi(argv[1]));
  char* const slabs = bare::pages(kSlabs * kReadBytes);
  std::size_t slab = 0;
  for (std::array<epoll_event, 64> ready;;) {
    const int found = ::epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), -1);
    for (int i = 0; i < found; ++i) {
      const std::uint64_t mark = ready[static_cast<std::size_t>(i)].data.u64;
      const int descriptor = static_cast<int>(mark & UINT32_MAX);
      if (mark >> 32 == kListener) {
        watch(epoll, ::accept(descriptor, nullptr, nullptr), 0);
        continue;
      }
      const ssize_t bytes = ::recv(descriptor, slabs + slab * kReadBytes, kReadBytes, 0);
      if (bytes <= 0) {
        ::close(descriptor);
        count.write();
        continue;
      }
      slab = (slab + 1) % kSlabs;
      count.add(static_cast<std::size_t>(bytes));
      count.write_now_and_then();
    }
  }
}
