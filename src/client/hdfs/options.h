// What the client takes from Hadoop's configuration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/hdfs/configuration.h"
#include "client/hdfs/rpc_connection.h"
#include "client/hdfs/stream_context.h"

namespace millrace::hdfs {

struct Options {
  RpcOptions rpc;
  StreamOptions streams;
  std::string default_file_system;  // fs.defaultFS; empty: none.
  std::uint32_t replication = 3;
  std::uint64_t block_size = 128 * 1024 * 1024;  // Bytes.
  bool pings = true;
};

// One key of Hadoop's that is read.
struct OptionKey {
  std::string_view name;
  std::string_view old_name;  // As earlier releases called it; empty: the same.
  std::string_view help;
};

// All that are read, for the user's page.
std::vector<OptionKey> option_keys();

// kConfig names the key and its value: of what cannot be read, and of what is not supported yet
// (Kerberos).
Result<Options> read_options(const Configuration& configuration);

}  // namespace millrace::hdfs
