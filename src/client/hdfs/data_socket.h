// A TCP connection to a server of HDFS that does not block: every wait has a deadline and ends when
// the file system is closed.
#pragma once

#include <sys/uio.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "io/descriptor.h"

namespace millrace::hdfs {

// When to give up waiting.
struct Patience {
  SteadyTime until = SteadyTime::max();
  const std::atomic<bool>* closed = nullptr;  // The file system's; null: there is none.

  // The earlier of this and `limit` from now; 0: this.
  Patience within(std::chrono::milliseconds limit) const;
  bool over() const { return std::chrono::steady_clock::now() >= until; }
  // Sleeps so long. ETIMEDOUT when the patience ends before, kClosed when the file system is
  // closed.
  Result<> pause(std::chrono::milliseconds length) const;
  bool is_closed() const { return closed != nullptr && closed->load(); }
};

// Errors: kTransient, ETIMEDOUT when the patience ended, kClosed when the file system was closed.
// Threads: one at a time.
class DataSocket {
 public:
  DataSocket() = default;

  // `server`: "DataNode", for messages.
  static Result<DataSocket> connect(std::string_view server, const std::string& host,
                                    std::uint16_t port, Patience patience);

  // One that is connected and does not block.
  static DataSocket adopt(Descriptor socket, std::string peer);

  explicit operator bool() const { return static_cast<bool>(socket_); }
  const std::string& peer() const { return peer_; }  // "10.0.0.7:9866".

  // Sends as much as the kernel takes now, and says how much that was.
  Result<std::size_t> send_some(std::span<const iovec> pieces);
  Result<> send_all(std::string_view bytes, Patience patience);

  // Bytes that are there now; 0: none. The end of the connection is an error.
  Result<std::size_t> receive_some(std::span<char> space);
  Result<> receive_all(std::span<char> space, Patience patience);
  // A message behind its length as a varint, as protocol buffers delimit them. kCorrupt when it is
  // longer than `most`.
  Result<std::string> receive_message(std::size_t most, Patience patience);

  // Ends both directions at once: whoever waits is woken. Threads: any.
  void shut_down();

  // Waits until it can be read, or written where `writable` asks for it.
  Result<> wait(bool writable, Patience patience);

 private:
  Error failed(std::string_view what, int error_number) const;

  Descriptor socket_;
  std::string server_;
  std::string peer_;
};

}  // namespace millrace::hdfs
