// A file of HDFS being written.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "client/dfs/file_system.h"
#include "client/hdfs/block_writer.h"

namespace millrace::hdfs {

// What the NameNode said of a file when it was created or opened for append.
struct OutputFile {
  WrittenFile file;
  std::uint64_t block_size = 0;
  std::uint32_t replication = 0;
  std::uint64_t length = 0;          // Bytes there already.
  std::optional<LocatedBlock> last;  // The last block, where it is not full.
  bool sync_blocks = false;          // Each block is put on disk when it is full.
};

// Cuts what is written into packets and blocks. The caller's thread does all the work; there is
// none behind it.
//
// Durable: as flush() says. hsync covers the open block, and with sync_blocks those before it.
// Repeats: none; see BlockWriter.
// Threads: the caller's, and the file system's keeper for keep_alive().
class HdfsOutputStream final : public dfs::OutputStream {
 public:
  // `closed` says that the file system was closed; all three outlive the stream.
  HdfsOutputStream(NameNode& name_node, OutputFile file, const StreamOptions& options,
                   const std::atomic<bool>& closed);

  using dfs::OutputStream::write;
  Result<> write(std::span<const iovec> pieces) override;
  Result<> start_flush(dfs::Durability durability) override;
  Result<> finish_flush() override;
  Result<> close() override;
  void abandon() override;
  std::uint64_t length() const override;
  std::uint32_t live_replicas() const override;

  // Keeps an idle pipeline alive; to be called every few seconds. Never waits, not even for a
  // caller's call.
  void keep_alive();

 private:
  enum class State { kOpen, kClosed, kAbandoned };

  Patience patience() const;
  Result<> check_open() const;
  Result<> append(std::string_view bytes, Patience patience);
  void begin_packet();
  std::size_t room_of_packet(std::uint64_t offset) const;
  Result<> push_packet(Patience patience);
  void seal_and_push(bool last, bool sync);
  void keep_tail(const OutgoingPacket& packet);
  Result<> end_block(Patience patience);
  Result<> complete(Patience patience);

  NameNode& name_node_;
  const StreamOptions& options_;
  const std::atomic<bool>& closed_;
  const OutputFile file_;
  mutable std::mutex mutex_;  // Guards what follows. Held while a call waits.
  BlockWriterContext context_;
  State state_ = State::kOpen;
  std::optional<Block> previous_;         // The last block that is whole.
  std::unique_ptr<BlockWriter> writer_;   // Of the open block.
  std::optional<OutgoingPacket> packet_;  // Gathers what is written.
  std::string tail_;  // Flushed bytes of a chunk that is not full: the next packet repeats them.
  std::uint64_t length_;            // Bytes of the file, with those in packet_.
  std::uint64_t block_bytes_ = 0;   // Those of the open block.
  std::uint64_t pushed_bytes_ = 0;  // Those that are in packets which were pushed.
  std::uint64_t synced_bytes_ = 0;  // Those for which a sync was asked.
  std::uint64_t appended_at_ = 0;   // Where an append began within its block.
  bool ended_ = false;              // The end of the open block is pushed.
  bool persisted_ = true;           // The NameNode was told of the open block by fsync.
  std::int64_t next_seqno_ = 0;
};

}  // namespace millrace::hdfs
