// `millrace fs put`: a file of this machine, or standard input, into a file system.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "cli/fail.h"
#include "cli/fs/commands.h"
#include "cli/fs/file_arguments.h"
#include "io/descriptor.h"

namespace millrace {
namespace {

constexpr const char* kName = "fs put";
constexpr std::size_t kAtOnce = 1024 * 1024;

Result<Descriptor> open_source(const std::string& path) {
  Descriptor source(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!source) {
    return system_error("open " + path, errno);
  }
  return source;
}

Result<std::uint64_t> copy(int source, dfs::OutputStream& out) {
  std::vector<char> space(kAtOnce);
  for (;;) {
    const ssize_t count = ::read(source, space.data(), space.size());
    if (count < 0 && errno != EINTR) {
      return system_error("read", errno);
    }
    if (count == 0) {
      break;
    }
    if (count > 0) {
      TRY(out.write({space.data(), static_cast<std::size_t>(count)}));
    }
  }
  TRY(out.flush(dfs::Durability::kHsync));
  TRY(out.close());
  return out.length();
}

// A copy that failed leaves nothing behind.
Result<std::uint64_t> put(dfs::FileSystems& systems, const std::string& from, const std::string& to,
                          const dfs::CreateOptions& options) {
  const Descriptor source = TRY(open_source(from));
  const dfs::Place place = TRY(systems.find(to));
  const std::unique_ptr<dfs::OutputStream> out = TRY(place.files->create(place.path, options));
  Result<std::uint64_t> copied = copy(source.get(), *out);
  if (!copied.ok()) {
    out->abandon();
    const Result<> removed = place.files->remove(place.path, false);
    return removed.ok() ? std::move(copied).error()
                        : std::move(copied).error().with(fmt::format(
                              "a part of it is left at {} ({})", to, removed.error().message()));
  }
  return copied;
}

}  // namespace

int run_fs_put(const CommandLine& line) {
  FileArguments arguments;
  dfs::CreateOptions file;
  file.durability = dfs::Durability::kHsync;
  std::uint64_t replication = 0;
  Options options(kName, "Copies a file of this machine to a new one; never overwrites.");
  options.number("--replication", replication, 0, 512, "Replicas; 0: dfs.replication.");
  options.number("--block-size", file.block_size, 0, std::uint64_t{1} << 40,
                 "Bytes; 0: dfs.blocksize.");
  describe_files(options, arguments, "FILE URL", 2);
  options.footer("FILE - is standard input. It is on the disks of the DataNodes when this ends.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  if (arguments.urls.size() != 2) {
    return options.refuse("one FILE and one URL are wanted");
  }
  file.replication = static_cast<std::uint32_t>(replication);
  dfs::FileSystems systems = file_systems(arguments);
  const auto copied = put(systems, arguments.urls[0], arguments.urls[1], file);
  if (!copied.ok()) {
    return fail(kName, copied.error());
  }
  fmt::print("{} bytes to {}\n", copied.value(), arguments.urls[1]);
  return kDone;
}

}  // namespace millrace
