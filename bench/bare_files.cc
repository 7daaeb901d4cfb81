// The floor of TAILDIR -> memory -> null: a loop that reads files as they appear in a folder, and
// finds where lines end.
//
// usage: bare_files PORT COUNT_FILE FOLDER
// Listens on 127.0.0.1:PORT; keeps the number of bytes read so far in COUNT_FILE.
#include <sys/inotify.h>

#include <cstring>
#include <vector>

#include "bare.h"

namespace {

constexpr std::size_t kReadBytes = 256 * 1024;
constexpr std::size_t kSlabs = 64;  // As much memory in turn as a memory channel's batches.

// Where lines end, as a batch notes it.
void find_lines(const char* from, std::size_t bytes, std::vector<const char*>& ends) {
  ends.clear();
  const char* const end = from + bytes;
  while (const void* at = std::memchr(from, '\n', static_cast<std::size_t>(end - from))) {
    ends.push_back(static_cast<const char*>(at));
    from = static_cast<const char*>(at) + 1;
  }
}

class Reader {
 public:
  explicit Reader(const char* count_file) : count_(count_file) {}

  void read_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      bare::fail(path.c_str());
    }
    for (;;) {
      char* const slab = slabs_ + next_++ % kSlabs * kReadBytes;
      const ssize_t bytes = ::read(file, slab, kReadBytes);
      if (bytes <= 0) {
        break;
      }
      find_lines(slab, static_cast<std::size_t>(bytes), ends_);
      count_.add(static_cast<std::size_t>(bytes));
      count_.write_now_and_then();
    }
    ::close(file);
  }
  void write_count() { count_.write(); }

 private:
  bare::Count count_;
  char* const slabs_ = bare::pages(kSlabs * kReadBytes);
  std::size_t next_ = 0;
  std::vector<const char*> ends_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: bare_files PORT COUNT_FILE FOLDER\n", stderr);
    return 2;
  }
  const int watch = ::inotify_init1(IN_CLOEXEC);
  if (watch < 0 || ::inotify_add_watch(watch, argv[3], IN_MOVED_TO) < 0) {
    bare::fail(argv[3]);
  }
  Reader reader(argv[2]);
  bare::listen_on(std::atoi(argv[1]));
  alignas(inotify_event) char events[16 * 1024];
  for (;;) {
    const ssize_t bytes = ::read(watch, events, sizeof events);
    if (bytes <= 0) {
      bare::fail("inotify");
    }
    for (const char* at = events; at < events + bytes;) {
      const auto* const event = reinterpret_cast<const inotify_event*>(at);
      reader.read_file(std::string(argv[3]) + "/" + event->name);
      at += sizeof *event + event->len;
    }
    reader.write_count();
  }
}
