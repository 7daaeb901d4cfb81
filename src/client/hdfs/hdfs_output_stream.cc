#include "client/hdfs/hdfs_output_stream.h"

#include <algorithm>
#include <utility>

namespace millrace::hdfs {
namespace {

constexpr std::size_t kPacketHeadBytes = 33;  // Of packet_bytes, as the Java client reckons.

}  // namespace

HdfsOutputStream::HdfsOutputStream(NameNode& name_node, OutputFile file,
                                   const StreamOptions& options, const std::atomic<bool>& closed)
    : name_node_(name_node),
      options_(options),
      closed_(closed),
      file_(std::move(file)),
      context_{name_node, file_.file, options, file_.replication, {}},
      length_(file_.length) {
  if (file_.last) {
    block_bytes_ = pushed_bytes_ = synced_bytes_ = appended_at_ = file_.last->block.length_bytes;
    writer_ = std::make_unique<BlockWriter>(context_, *file_.last);
  }
}

Patience HdfsOutputStream::patience() const {
  return Patience{SteadyTime::max(), &closed_}.within(options_.call_timeout);
}

Result<> HdfsOutputStream::check_open() const {
  return state_ == State::kOpen ? Result<>() : closed(file_.file.path + " is closed");
}

Result<> HdfsOutputStream::write(std::span<const iovec> pieces) {
  const std::lock_guard lock(mutex_);
  TRY(check_open());
  const Patience until = patience();
  for (const iovec& piece : pieces) {
    TRY(append({static_cast<const char*>(piece.iov_base), piece.iov_len}, until)
            .with("write " + file_.file.path));
  }
  return {};
}

Result<> HdfsOutputStream::append(std::string_view bytes, Patience patience) {
  while (!bytes.empty()) {
    if (block_bytes_ == file_.block_size) {
      TRY(end_block(patience));
    }
    if (!packet_) {
      begin_packet();
    }
    const std::string_view part = bytes.substr(0, packet_->room());
    packet_->append(part);
    block_bytes_ += part.size();
    length_ += part.size();
    bytes.remove_prefix(part.size());
    if (packet_->room() == 0) {
      TRY(push_packet(patience));
    }
  }
  return {};
}

// It begins with the bytes of the last chunk that were flushed before it was full.
void HdfsOutputStream::begin_packet() {
  if (!writer_) {
    writer_ = std::make_unique<BlockWriter>(context_, previous_);
    persisted_ = false;
  }
  const std::uint64_t offset = pushed_bytes_ - tail_.size();
  packet_.emplace(static_cast<std::int64_t>(offset), room_of_packet(offset), options_.checksums);
  packet_->append(tail_);
}

// Packets hold whole chunks, end with the block, and where an append began within a chunk the first
// one ends with it.
std::size_t HdfsOutputStream::room_of_packet(std::uint64_t offset) const {
  const std::uint64_t chunk = options_.checksums.bytes_per_chunk;
  const std::uint64_t chunks =
      (options_.packet_bytes - std::min<std::size_t>(options_.packet_bytes, kPacketHeadBytes)) /
      (chunk + options_.checksums.bytes_each());
  const std::uint64_t into_chunk = offset % chunk;
  const std::uint64_t room =
      into_chunk > 0 ? chunk - into_chunk : std::max(chunks, std::uint64_t{1}) * chunk;
  return static_cast<std::size_t>(std::min(room, file_.block_size - offset));
}

Result<> HdfsOutputStream::push_packet(Patience patience) {
  seal_and_push(false, false);
  if (writer_->full()) {
    TRY(writer_->wait_for(options_.window_packets - 1, patience));
  }
  return {};
}

void HdfsOutputStream::seal_and_push(bool last, bool sync) {
  if (!packet_) {  // The end of the block, or a sync of what was flushed before.
    packet_.emplace(static_cast<std::int64_t>(block_bytes_), 0, options_.checksums);
  }
  packet_->seal(next_seqno_++, last, sync);
  pushed_bytes_ = block_bytes_;
  synced_bytes_ = sync ? block_bytes_ : synced_bytes_;
  keep_tail(*packet_);
  writer_->push(std::move(*packet_));
  packet_.reset();
}

void HdfsOutputStream::keep_tail(const OutgoingPacket& packet) {
  if (packet.size() == 0) {
    return;
  }
  const std::uint64_t chunk = options_.checksums.bytes_per_chunk;
  const std::uint64_t begin = std::max(block_bytes_ / chunk * chunk, appended_at_);
  tail_ =
      block_bytes_ % chunk == 0
          ? std::string()
          : std::string(packet.data().substr(begin - static_cast<std::uint64_t>(packet.offset())));
}

Result<> HdfsOutputStream::start_flush(dfs::Durability durability) {
  const std::lock_guard lock(mutex_);
  TRY(check_open());
  const bool sync = durability == dfs::Durability::kHsync;
  if (pushed_bytes_ < block_bytes_ || (sync && synced_bytes_ < block_bytes_)) {
    seal_and_push(false, sync);
  }
  return {};
}

Result<> HdfsOutputStream::finish_flush() {
  const std::lock_guard lock(mutex_);
  TRY(check_open());
  if (!writer_) {
    return {};
  }
  TRY(writer_->wait_for(0, patience()).with("flush " + file_.file.path));
  writer_->set_visible();
  if (!persisted_ && writer_->is_allocated()) {
    TRY(name_node_.fsync(file_.file, writer_->block().length_bytes));
    persisted_ = true;
  }
  return {};
}

// Every byte is acknowledged before the end is sent, so that a node that fails then has the whole
// block.
Result<> HdfsOutputStream::end_block(Patience patience) {
  if (pushed_bytes_ < block_bytes_) {
    seal_and_push(false, false);
  }
  TRY(writer_->wait_for(ended_ ? 1 : 0, patience));
  if (!ended_) {
    seal_and_push(true, file_.sync_blocks);
    ended_ = true;
  }
  TRY(writer_->wait_for(0, patience));
  previous_ = writer_->block();
  writer_.reset();
  tail_.clear();
  block_bytes_ = pushed_bytes_ = synced_bytes_ = appended_at_ = 0;
  ended_ = false;
  return {};
}

Result<> HdfsOutputStream::close() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kClosed) {
    return {};
  }
  TRY(check_open());
  const Patience until = patience();
  if (block_bytes_ > 0) {
    TRY(end_block(until).with("close " + file_.file.path));
  }
  TRY(complete(until).with("close " + file_.file.path));
  state_ = State::kClosed;
  return {};
}

Result<> HdfsOutputStream::complete(Patience patience) {
  Retries retries(options_, patience);
  while (!TRY(name_node_.complete(file_.file, previous_))) {
    if (!TRY(retries.again())) {
      return transient("too few DataNodes have told the NameNode of the last block");
    }
  }
  return {};
}

void HdfsOutputStream::abandon() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kOpen) {
    state_ = State::kAbandoned;
    writer_.reset();
    packet_.reset();
  }
}

std::uint64_t HdfsOutputStream::length() const {
  const std::lock_guard lock(mutex_);
  return length_;
}

std::uint32_t HdfsOutputStream::live_replicas() const {
  const std::lock_guard lock(mutex_);
  return writer_ ? writer_->live_replicas() : file_.replication;
}

void HdfsOutputStream::keep_alive() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock.owns_lock() && writer_) {
    writer_->keep_alive();
  }
}

}  // namespace millrace::hdfs
