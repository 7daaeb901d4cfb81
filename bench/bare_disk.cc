// What the disk gives: the floor under everything that the file channel writes and reads.
//
// usage: bare_disk write FOLDER BYTES   1 MiB at a time, each with a pwrite and an fdatasync, over
// files of 64 MiB in
//                                       turn whose blocks were written before
//        bare_disk read FOLDER BYTES    1 MiB at a time, of a file of which the page cache holds
//        nothing
// Prints the seconds it took. What has to be there first is made beforehand, and does not count.
#include <chrono>
#include <cstring>
#include <string_view>
#include <vector>

#include "bare.h"

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
constexpr std::size_t kFileBytes = std::size_t{64} << 20;  // As the channel's segments.
constexpr int kFiles = 3;

int make_file(const std::string& path, std::size_t bytes, const char* piece) {
  const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (file < 0) {
    bare::fail(path.c_str());
  }
  for (std::size_t at = 0; at < bytes; at += kPieceBytes) {
    if (::pwrite(file, piece, kPieceBytes, static_cast<off_t>(at)) !=
        static_cast<ssize_t>(kPieceBytes)) {
      bare::fail("pwrite");
    }
  }
  if (::fsync(file) != 0) {
    bare::fail("fsync");
  }
  return file;
}

class Stopwatch {
 public:
  ~Stopwatch() {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin_;
    std::printf("%.6f\n", took.count());
  }

 private:
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

void write_over(const std::string& folder, std::size_t bytes, const char* piece) {
  std::vector<int> files;
  for (int i = 0; i < kFiles; ++i) {
    files.push_back(make_file(folder + "/bare-" + std::to_string(i), kFileBytes, piece));
  }
  const Stopwatch watch;
  for (std::size_t at = 0; at < bytes; at += kPieceBytes) {
    const int file = files[at / kFileBytes % kFiles];
    if (::pwrite(file, piece, kPieceBytes, static_cast<off_t>(at % kFileBytes)) !=
            static_cast<ssize_t>(kPieceBytes) ||
        ::fdatasync(file) != 0) {
      bare::fail("write");
    }
  }
}

void read_back(const std::string& folder, std::size_t bytes, char* piece) {
  const int file = make_file(folder + "/bare-read", bytes, piece);
  if (::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) != 0) {
    bare::fail("posix_fadvise");
  }
  const Stopwatch watch;
  for (std::size_t at = 0; at < bytes; at += kPieceBytes) {
    if (::pread(file, piece, kPieceBytes, static_cast<off_t>(at)) !=
        static_cast<ssize_t>(kPieceBytes)) {
      bare::fail("read");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view task = argc == 4 ? argv[1] : "";
  if (task != "write" && task != "read") {
    std::fputs("usage: bare_disk write|read FOLDER BYTES\n", stderr);
    return 2;
  }
  const std::size_t bytes = std::strtoull(argv[3], nullptr, 10);
  char* const piece = bare::pages(kPieceBytes);
  std::memset(piece, 'x', kPieceBytes);
  if (task == "write") {
    write_over(argv[2], bytes, piece);
  } else {
    read_back(argv[2], bytes, piece);
  }
  return 0;
}
