// Raw writing to HDFS by our client: one file after the other, and what each took.
//
// usage: hdfs_write HOST PORT FOLDER BYTES FILES
// The first file warms up and is not counted. Prints "BYTES SECONDS CPU_SECONDS" of the others.
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "client/hdfs/hdfs_output_stream.h"
#include "client/hdfs/rpc_name_node.h"

namespace {

using namespace millrace;
using namespace millrace::hdfs;

constexpr std::size_t kPiece = 64 * 1024;
constexpr std::uint64_t kBlockSize = std::uint64_t{128} << 20;

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

Result<> write_file(NameNode& name_node, const std::string& path, std::uint64_t bytes) {
  static const StreamOptions options;
  static const std::atomic<bool> closed{false};
  const FileInfo info = TRY(name_node.create(
      {.path = path, .permissions = 0644, .replication = 1, .block_size = kBlockSize}));
  OutputFile file;
  file.file = {path, info.file_id};
  file.block_size = kBlockSize;
  file.replication = 1;
  HdfsOutputStream stream(name_node, file, options, closed);
  std::string piece(kPiece, '\0');
  for (std::size_t n = 0; n < piece.size(); ++n) {
    piece[n] = static_cast<char>(n * 31);
  }
  for (; bytes > 0; bytes -= std::min<std::uint64_t>(bytes, kPiece)) {
    TRY(stream.write(std::string_view(piece).substr(0, bytes)));
  }
  return stream.close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    return 2;
  }
  const std::uint64_t bytes = std::strtoull(argv[4], nullptr, 10);
  const int files = std::atoi(argv[5]);
  RpcNameNode name_node(
      {.host = argv[1], .port = static_cast<std::uint16_t>(std::atoi(argv[2])), .user = "root"}, {},
      "DFSClient_hdfs_write");
  auto begin = std::chrono::steady_clock::now();
  double cpu = 0;
  for (int n = 0; n <= files; ++n) {
    if (n == 1) {
      begin = std::chrono::steady_clock::now();
      cpu = cpu_seconds();
    }
    const Result<> written =
        write_file(name_node, std::string(argv[3]) + "/" + std::to_string(n), bytes);
    if (!written.ok()) {
      std::fprintf(stderr, "%s\n", written.error().message().c_str());
      return 1;
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%llu %.3f %.3f\n",
              static_cast<unsigned long long>(bytes) * static_cast<unsigned>(files),
              seconds.count(), cpu_seconds() - cpu);
}
