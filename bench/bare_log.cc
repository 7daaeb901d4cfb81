// The floor of exec -> file channel -> null: one thread reads a command's pipe, the other makes
// groups of what waits durable, each with one pwrite and one fdatasync, over files that it uses in
// turn.
//
// usage: bare_log PORT COUNT_FILE COMMAND FOLDER
// Listens on 127.0.0.1:PORT; keeps the number of durable bytes so far in COUNT_FILE.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bare_write_log.h"

namespace {

// Bytes on their way from the reader to the writer: one buffer is filled while the other is
// written.
struct Exchange {
  std::mutex mutex;
  std::condition_variable changed;
  char* filling = bare::pages(bare::kGroupBytes);
  std::size_t filled = 0;
  bool ended = false;
};

void read_all(int pipe, Exchange& exchange) {
  for (;;) {
    std::unique_lock lock(exchange.mutex);
    exchange.changed.wait(lock, [&] { return exchange.filled < bare::kGroupBytes; });
    char* const buffer = exchange.filling;
    const std::size_t at = exchange.filled;
    // Read under the lock: the writer swaps buffers only between two reads, and waits for its disk
    // anyway.
    const ssize_t bytes = ::read(pipe, buffer + at, bare::kGroupBytes - at);
    exchange.ended = bytes <= 0;
    exchange.filled += exchange.ended ? 0 : static_cast<std::size_t>(bytes);
    exchange.changed.notify_all();
    if (exchange.ended) {
      return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: bare_log PORT COUNT_FILE COMMAND FOLDER\n", stderr);
    return 2;
  }
  bare::Count count(argv[2]);
  const int pipe = bare::run_command(argv[3]);
  bare::listen_on(std::atoi(argv[1]));
  Exchange exchange;
  std::jthread reader([&] { read_all(pipe, exchange); });
  bare::Log log(argv[4]);
  char* group = bare::pages(bare::kGroupBytes);
  for (;;) {
    std::unique_lock lock(exchange.mutex);
    exchange.changed.wait(lock, [&] { return exchange.filled > 0 || exchange.ended; });
    const std::size_t bytes = exchange.filled;
    if (bytes == 0) {
      break;
    }
    std::swap(group, exchange.filling);
    exchange.filled = 0;
    lock.unlock();
    exchange.changed.notify_all();
    const iovec whole{group, bytes};
    log.write({&whole, 1}, bytes);
    count.add(bytes);
    count.write();
  }
  ::pause();  // The rig reads our figures, then ends us.
  return 0;
}
