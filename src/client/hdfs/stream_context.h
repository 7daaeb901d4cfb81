// What the streams of a file system share.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "client/hdfs/block.h"
#include "client/hdfs/chunk_checksums.h"
#include "client/hdfs/data_socket.h"

namespace millrace::hdfs {

// dfs.client.block.write.replace-datanode-on-failure.*: when a DataNode is taken in for one that
// failed.
struct ReplacementPolicy {
  enum class When {
    kDefault,  // With 3 replicas and more: when at most half are left, or readers may have seen the
               // block.
    kAlways,
    kNever,
  };
  bool enabled = true;
  When when = When::kDefault;
  bool best_effort = false;           // Go on with those that are left when none can be had.
  std::uint32_t min_replication = 0;  // The same with so many left; 0: no number will do.
};

// Each names the key of hdfs-site.xml that it is read from.
struct StreamOptions {
  ChunkChecksums checksums;                     // dfs.checksum.type, dfs.bytes-per-checksum
  std::uint32_t packet_bytes = 64 * 1024;       // dfs.client-write-packet-size: all of a packet.
  std::uint32_t window_packets = 80;            // dfs.client.write.max-packets-in-flight
  std::size_t window_bytes = 16 * 1024 * 1024;  // Unacknowledged bytes of a stream.
  std::chrono::milliseconds socket_timeout{60'000};   // dfs.client.socket-timeout; 0: none.
  std::chrono::milliseconds restart_timeout{30'000};  // dfs.client.datanode-restart.timeout
  std::uint32_t block_retries =
      3;  // dfs.client.block.write.retries: new blocks whose set-up failed.
  std::uint32_t locate_retries = 5;  // dfs.client.block.write.locateFollowingBlock.retries
  std::chrono::milliseconds locate_delay{400};  // …locateFollowingBlock.initial.delay.ms: doubles.
  // Each node of a pipeline waits so much longer than the one behind it, so that the nearest
  // notices.
  std::chrono::milliseconds timeout_of_node{5000};
  // How long no new block is put on a node that failed:
  // dfs.client.write.exclude.nodes.cache.expiry.interval.millis
  std::chrono::milliseconds exclude_for{600'000};
  bool use_host_names = false;  // dfs.client.use.datanode.hostname
  bool encrypted = false;       // dfs.encrypt.data.transfer, or the cluster asks for SASL.
  ReplacementPolicy replacement;
  std::chrono::milliseconds call_timeout{0};  // Of each call of a stream; 0: none.

  // How long a pipeline or a read of so many nodes may be silent.
  std::chrono::milliseconds read_timeout(std::size_t nodes) const;
};

// For what the NameNode cannot do yet: pauses that double, as long in all as the Java client's.
class Retries {
 public:
  Retries(const StreamOptions& options, Patience patience);
  // False when it has been tried long enough; after a pause else.
  Result<bool> again();

 private:
  Patience patience_;
  std::chrono::milliseconds pause_;
  std::chrono::milliseconds left_;
};

// Connects for a transfer of data, and negotiates its protection: the one place for it. kConfig
// where the cluster asks for one that is not there yet.
Result<DataSocket> connect_data_node(const DatanodeId& node, const StreamOptions& options,
                                     Patience patience);

}  // namespace millrace::hdfs
