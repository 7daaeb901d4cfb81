// The floor of syslogtcp -> file channel -> file_roll (Avro, snappy), both synced: one thread reads
// the connections, one makes groups of what waits durable in a log, and one compresses what is
// durable, writes it to a file and syncs that.
//
// usage: bare_avro PORT COUNT_FILE PORTS FOLDER
// Listens on 127.0.0.1:PORT and on PORTS, which have commas between them; keeps the number of bytes
// that are durable in the file in COUNT_FILE.
#include <isa-l/crc.h>
#include <snappy.h>

#include <algorithm>
#include <array>
#include <thread>

#include "bare_flow.h"
#include "bare_write_log.h"

namespace {

using Ring = bare::Ring<2>;  // Stage 1 is the log, stage 2 the file.
constexpr std::size_t kGroupSlabs = bare::kGroupBytes / bare::kReadBytes;
constexpr std::size_t kPieceBytes = 64 * 1024;              // Compressed at once, as Avro's blocks.
constexpr std::size_t kSyncBytes = std::size_t{8} << 20;    // Of events, for each sync of the file,
constexpr std::size_t kWriteBytes = std::size_t{64} << 10;  // and of compressed bytes for a write.

[[noreturn]] void log_all(Ring& ring, bare::Log log) {
  for (;;) {
    ring.next(1);
    const std::size_t slabs = std::min(ring.waiting(1), kGroupSlabs);
    std::array<iovec, kGroupSlabs> pieces;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < slabs; ++i) {
      const std::string_view slab = ring.peek(1, i);
      pieces[i] = {const_cast<char*>(slab.data()), slab.size()};
      bytes += slab.size();
    }
    log.write({pieces.data(), slabs}, bytes);
    ring.pass(1, slabs);
  }
}

class AvroFile {
 public:
  explicit AvroFile(const std::string& path)
      : file_(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | O_APPEND, 0644)) {}

  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::string_view piece = bytes.substr(0, kPieceBytes);
      bytes.remove_prefix(piece.size());
      std::size_t packed = 0;
      out_.resize(used_ + snappy::MaxCompressedLength(piece.size()) + sizeof crc_);
      snappy::RawCompress(piece.data(), piece.size(), out_.data() + used_, &packed);
      crc_ ^=
          ::crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(piece.data()), piece.size());
      used_ += packed + sizeof crc_;
      if (used_ >= kWriteBytes) {
        write();
      }
    }
  }
  void sync() {
    write();
    if (::fdatasync(file_) != 0) {
      bare::fail("fdatasync");
    }
  }

 private:
  void write() {
    if (::write(file_, out_.data(), used_) != static_cast<ssize_t>(used_)) {
      bare::fail("write");
    }
    used_ = 0;
  }

  const int file_;
  std::string out_;
  std::size_t used_ = 0;
  std::uint32_t crc_ = 0;
};

// Syncs when much is written, or nothing waits.
[[noreturn]] void compress_all(Ring& ring, AvroFile file, bare::Count& count) {
  for (std::size_t unsynced = 0;;) {
    const std::string_view bytes = ring.next(2);
    file.add(bytes);
    count.add(bytes.size());
    unsynced += bytes.size();
    ring.pass(2);
    if (unsynced >= kSyncBytes || ring.waiting(2) == 0) {
      file.sync();
      count.write();
      unsynced = 0;
    }
  }
}

bool read_once(int descriptor, Ring& ring) {
  const ssize_t bytes = ::recv(descriptor, ring.next_free(), bare::kReadBytes, 0);
  if (bytes > 0) {
    ring.fill(static_cast<std::size_t>(bytes));
  }
  return bytes > 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: bare_avro PORT COUNT_FILE PORTS FOLDER\n", stderr);
    return 2;
  }
  bare::Count count(argv[2]);
  const std::string folder = argv[4];
  Ring ring;
  const std::jthread logger([&] { log_all(ring, bare::Log(folder)); });
  const std::jthread compressor(
      [&] { compress_all(ring, AvroFile(folder + "/bare-avro"), count); });
  bare::serve(argv[3], argv[1], [&](int descriptor) { return read_once(descriptor, ring); });
}
