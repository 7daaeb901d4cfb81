// The floor of the network sources: a loop that reads all connections of some ports and does
// nothing with the bytes, or has another thread write them to a file.
//
// usage: bare_tcp PORT COUNT_FILE PORTS [FILE]
// Listens on 127.0.0.1:PORT and on PORTS, which have commas between them; keeps the number of bytes
// done so far in COUNT_FILE.
#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <sstream>
#include <thread>

#include "bare.h"

namespace {

constexpr std::size_t kReadBytes = 256 * 1024;
constexpr std::size_t kSlabs = 64;  // As much memory in turn as a memory channel's batches.
constexpr std::uint64_t kListener = std::uint64_t{1} << 32;

// Slabs that go round: read into, then done with, in their order.
class Ring {
 public:
  Ring() : slabs_(bare::pages(kSlabs * kReadBytes)) {}

  char* next_free() {
    for (std::size_t done = done_; filled_ - done == kSlabs; done = done_) {
      done_.wait(done);
    }
    return slab(filled_);
  }
  void fill(std::size_t bytes) {
    sizes_[filled_ % kSlabs] = bytes;
    ++filled_;
    filled_.notify_one();
  }
  std::string_view next_filled() {
    filled_.wait(done_);
    return {slab(done_), sizes_[done_ % kSlabs]};
  }
  void free() {
    ++done_;
    done_.notify_one();
  }

 private:
  char* slab(std::size_t turn) { return slabs_ + turn % kSlabs * kReadBytes; }

  char* const slabs_;
  std::array<std::size_t, kSlabs> sizes_{};
  std::atomic<std::size_t> filled_ = 0;
  std::atomic<std::size_t> done_ = 0;
};

void watch(int epoll, int descriptor, std::uint64_t mark) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = mark | static_cast<std::uint32_t>(descriptor);
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) {
    bare::fail("epoll_ctl");
  }
}

[[noreturn]] void write_all(Ring& ring, const char* path, bare::Count& count) {
  const int file = ::open(path, O_CREAT | O_WRONLY | O_CLOEXEC | O_APPEND, 0644);
  for (;;) {
    const std::string_view bytes = ring.next_filled();
    if (::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      bare::fail(path);
    }
    ring.free();
    count.add(bytes.size());
    count.write();
  }
}

// False at the end of the connection.
bool read_once(int descriptor, Ring& ring, bare::Count* count) {
  const ssize_t bytes = ::recv(descriptor, ring.next_free(), kReadBytes, 0);
  if (bytes <= 0) {
    return false;
  }
  ring.fill(static_cast<std::size_t>(bytes));
  if (count != nullptr) {
    ring.free();
    count->add(static_cast<std::size_t>(bytes));
    count->write_now_and_then();
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    std::fputs("usage: bare_tcp PORT COUNT_FILE PORTS [FILE]\n", stderr);
    return 2;
  }
  bare::Count count(argv[2]);
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  std::istringstream ports(argv[3]);
  for (std::string port; std::getline(ports, port, ',');) {
    watch(epoll, bare::listen_on(std::stoi(port)), kListener);
  }
  bare::listen_on(std::atoi(argv[1]));
  Ring ring;
  std::jthread writer;
  if (argc == 5) {
    writer = std::jthread([&] { write_all(ring, argv[4], count); });
  }
  for (std::array<epoll_event, 64> ready;;) {
    const int found = ::epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), -1);
    for (int i = 0; i < found; ++i) {
      const std::uint64_t mark = ready[static_cast<std::size_t>(i)].data.u64;
      const int descriptor = static_cast<int>(mark & UINT32_MAX);
      if ((mark & kListener) != 0) {
        watch(epoll, ::accept(descriptor, nullptr, nullptr), 0);
      } else if (!read_once(descriptor, ring, argc == 4 ? &count : nullptr)) {
        ::close(descriptor);
        if (argc == 4) {
          count.write();
        }
      }
    }
  }
}
