// The floor of the network sources: a loop that reads all connections of some ports and does
// nothing with the bytes, or has another thread write them to a file.
//
// usage: bare_tcp PORT COUNT_FILE PORTS [FILE]
// Listens on 127.0.0.1:PORT and on PORTS, which have commas between them; keeps the number of bytes
// done so far in COUNT_FILE.
#include <thread>

#include "bare_flow.h"

namespace {

using Ring = bare::Ring<1>;

[[noreturn]] void write_all(Ring& ring, const char* path, bare::Count& count) {
  const int file = ::open(path, O_CREAT | O_WRONLY | O_CLOEXEC | O_APPEND, 0644);
  for (;;) {
    const std::string_view bytes = ring.next(1);
    if (::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      bare::fail(path);
    }
    ring.pass(1);
    count.add(bytes.size());
    count.write();
  }
}

// False at the end of the connection. With a count the bytes are done with at once.
bool read_once(int descriptor, Ring& ring, bare::Count* count) {
  const ssize_t bytes = ::recv(descriptor, ring.next_free(), bare::kReadBytes, 0);
  if (bytes <= 0) {
    if (count != nullptr) {
      count->write();
    }
    return false;
  }
  ring.fill(static_cast<std::size_t>(bytes));
  if (count != nullptr) {
    ring.pass(1);
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
  Ring ring;
  std::jthread writer;
  if (argc == 5) {
    writer = std::jthread([&] { write_all(ring, argv[4], count); });
  }
  bare::serve(argv[3], argv[1], [&](int descriptor) {
    return read_once(descriptor, ring, argc == 4 ? &count : nullptr);
  });
}
