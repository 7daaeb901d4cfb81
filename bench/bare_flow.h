// What the bare loops over TCP share: slabs that go round between threads, and the connections.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>

#include "bare.h"

namespace bare {

constexpr std::size_t kReadBytes = 256 * 1024;
constexpr std::size_t kSlabs = 64;  // As much memory in turn as a memory channel's batches.

// Slabs that go round: read into, then passed from stage to stage, in their order. One thread
// reads, and one serves each stage.
template <std::size_t kStages>
class Ring {
 public:
  char* next_free() {
    auto& last = passed_[kStages];
    for (std::size_t done = last; passed_[0] - done == kSlabs; done = last) {
      last.wait(done);
    }
    return slab(passed_[0]);
  }
  void fill(std::size_t bytes) {
    sizes_[passed_[0] % kSlabs] = bytes;
    pass(0);
  }
  // The next slab of a stage, of 1 to kStages; and how many follow it that the stage before has
  // passed on already.
  std::string_view next(std::size_t stage) {
    passed_[stage - 1].wait(passed_[stage]);
    return {slab(passed_[stage]), sizes_[passed_[stage] % kSlabs]};
  }
  std::size_t waiting(std::size_t stage) const { return passed_[stage - 1] - passed_[stage]; }
  void pass(std::size_t stage, std::size_t slabs = 1) {
    passed_[stage] += slabs;
    passed_[stage].notify_one();
  }
  // The slab `behind` the next one of a stage.
  std::string_view peek(std::size_t stage, std::size_t behind) const {
    const std::size_t turn = passed_[stage] + behind;
    return {slab(turn), sizes_[turn % kSlabs]};
  }

 private:
  char* slab(std::size_t turn) const { return slabs_ + turn % kSlabs * kReadBytes; }

  char* const slabs_ = pages(kSlabs * kReadBytes);
  std::array<std::size_t, kSlabs> sizes_{};
  std::array<std::atomic<std::size_t>, kStages + 1> passed_{};
};

inline void watch(int epoll, int descriptor, std::uint64_t mark) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = mark | static_cast<std::uint32_t>(descriptor);
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) != 0) {
    fail("epoll_ctl");
  }
}

// Accepts on the ports, which have commas between them, and on the rig's; calls `read` for each
// connection that has something, and closes those for which it is false.
[[noreturn]] inline void serve(const char* ports, const char* rig_port,
                               const std::function<bool(int)>& read) {
  constexpr std::uint64_t kListener = std::uint64_t{1} << 32;
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  std::istringstream list(ports);
  for (std::string port; std::getline(list, port, ',');) {
    watch(epoll, listen_on(std::stoi(port)), kListener);
  }
  listen_on(std::atoi(rig_port));
  for (std::array<epoll_event, 64> ready;;) {
    const int found = ::epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), -1);
    for (int i = 0; i < found; ++i) {
      const std::uint64_t mark = ready[static_cast<std::size_t>(i)].data.u64;
      const int descriptor = static_cast<int>(mark & UINT32_MAX);
      if ((mark & kListener) != 0) {
        watch(epoll, ::accept(descriptor, nullptr, nullptr), 0);
      } else if (!read(descriptor)) {
        ::close(descriptor);
      }
    }
  }
}

}  // namespace bare
