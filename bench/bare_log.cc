// The floor of exec -> file channel -> null: one thread reads a command's pipe, the other makes
// groups of what waits durable, each with one pwrite and one fdatasync, over files that it uses in
// turn.
//
// usage: bare_log PORT COUNT_FILE COMMAND FOLDER
// Listens on 127.0.0.1:PORT; keeps the number of durable bytes so far in COUNT_FILE.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bare.h"

namespace {

constexpr std::size_t kGroupBytes = std::size_t{2} << 20;  // Most of one write,
constexpr std::size_t kSegmentBytes = std::size_t{64}
                                      << 20;  // and of one file, as the file channel has them.
constexpr int kSegments = 3;

// Bytes on their way from the reader to the writer: one buffer is filled while the other is
// written.
struct Exchange {
  std::mutex mutex;
  std::condition_variable changed;
  char* filling = bare::pages(kGroupBytes);
  std::size_t filled = 0;
  bool ended = false;
};

void read_all(int pipe, Exchange& exchange) {
  for (;;) {
    std::unique_lock lock(exchange.mutex);
    exchange.changed.wait(lock, [&] { return exchange.filled < kGroupBytes; });
    char* const buffer = exchange.filling;
    const std::size_t at = exchange.filled;
    // Read under the lock: the writer swaps buffers only between two reads, and waits for its disk
    // anyway.
    const ssize_t bytes = ::read(pipe, buffer + at, kGroupBytes - at);
    exchange.ended = bytes <= 0;
    exchange.filled += exchange.ended ? 0 : static_cast<std::size_t>(bytes);
    exchange.changed.notify_all();
    if (exchange.ended) {
      return;
    }
  }
}

class Log {
 public:
  explicit Log(std::string folder) : folder_(std::move(folder)) {}

  void write(const char* group, std::size_t bytes) {
    const std::size_t padded = (bytes + bare::kPage - 1) / bare::kPage * bare::kPage;
    if (file_ < 0 || at_ + padded > kSegmentBytes) {
      next_segment();
    }
    if (::pwrite(file_, group, padded, static_cast<off_t>(at_)) != static_cast<ssize_t>(padded) ||
        ::fdatasync(file_) != 0) {
      bare::fail("write");
    }
    at_ += padded;
  }

 private:
  void next_segment() {
    if (file_ >= 0) {
      ::close(file_);
    }
    const std::string path = folder_ + "/bare-" + std::to_string(used_++ % kSegments);
    file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (file_ < 0 || ::posix_fallocate(file_, 0, kSegmentBytes) != 0) {
      bare::fail(path.c_str());
    }
    at_ = 0;
  }

  const std::string folder_;
  int file_ = -1;
  std::size_t at_ = 0;
  int used_ = 0;
};

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
  Log log(argv[4]);
  char* group = bare::pages(kGroupBytes);
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
    log.write(group, bytes);
    count.add(bytes);
    count.write();
  }
  ::pause();  // The rig reads our figures, then ends us.
  return 0;
}
