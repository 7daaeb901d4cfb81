// A TCP peer for tests of senders: takes lines, answers them, hangs up when told to.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace millrace {

// Listens on a port of its own from its making on. Threads: its own calls `on_line`; the rest any.
class TestPeer {
 public:
  // What to send back for a line; kHangUp closes the connection, the line then has no answer.
  static constexpr std::string_view kHangUp = "hang up";
  using OnLine = std::function<std::string(std::string_view line)>;

  explicit TestPeer(OnLine on_line);
  ~TestPeer();

  std::uint16_t port() const { return port_; }
  std::uint64_t connections() const { return connections_; }
  std::vector<std::string> lines() const;

 private:
  void run(const std::stop_token& stop);
  bool take(int socket, std::string& begun);

  const OnLine on_line_;
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<std::uint64_t> connections_{0};
  mutable std::mutex mutex_;  // Guards lines_.
  std::vector<std::string> lines_;
  std::jthread thread_;
};

}  // namespace millrace
