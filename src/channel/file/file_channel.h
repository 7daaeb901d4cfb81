// The file channel: a write-ahead log in one or more data dirs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "channel/file/config.h"
#include "channel/limits.h"
#include "core/component.h"

namespace millrace {

namespace file_channel {
class Checkpointer;
class Committer;
struct State;
}  // namespace file_channel

// Durable: a put is answered when fdatasync has returned for its bytes and what leads to them; an
// event leaves once a sink's commit is recorded, at the latest 5 ms later. Until then a power loss
// brings it back.
// Repeats: what was committed out of it in the last 5 ms before the process ends unexpectedly, and
// puts that failed for the source but reached the disk.
// Faults: a segment whose write or sync failed is written no more; a full disk refuses puts, and
// takes go on; of damaged records the events that fit their checksums are delivered, the others
// counted as dropped and reported.
// Threads: as Channel says; a committer for each data dir and one for the checkpoints are its own.
class FileChannel final : public LimitedChannel {
 public:
  using Config = FileChannelConfig;
  FileChannel(Config config, ChannelContext context);
  ~FileChannel() override;

  Result<> start() override;
  void stop() override;
  PutStatus put(const BatchPtr& batch, PutDone& done) override;
  void when_room(std::function<void()> wake) override;
  std::optional<Lease> take(const TakeLimit& limit, SteadyTime deadline,
                            std::stop_token stop) override;
  void commit(std::span<const Lease> leases, std::span<const HeldEvent> held,
              SteadyTime held_until) override;
  Result<> commit_with_intent(std::span<const Lease> leases, std::span<const HeldEvent> held,
                              SteadyTime held_until, const SinkIntent& intent,
                              std::stop_token stop) override;
  std::string intent_of(std::string_view sink) const override;
  void roll_back(std::span<const Lease> leases) override;
  void count_dropped(std::size_t events) override;

  // For the spillable memory channel: the batch is in the channel at once, in its turn, but not in
  // the log. A kill loses it; stop() writes what is left of it. False when the channel is closed.
  bool keep_in_memory(const BatchPtr& batch);
  // Whether these events are not in the log.
  bool is_in_memory_alone(const Lease& lease) const;

  ChannelCounts counts() const override;
  bool keeps_intents() const override { return durable(); }
  bool durable() const override { return config_.fsync_per_transaction; }
  std::string promise() const override;
  Result<> health() const override;

 private:
  void start_threads();
  void declare_metrics();

  const Config config_;
  Services& services_;
  std::unique_ptr<file_channel::State> state_;
  std::vector<std::unique_ptr<FileLock>> locks_;
  std::vector<std::unique_ptr<file_channel::Committer>> committers_;
  std::unique_ptr<file_channel::Checkpointer> checkpointer_;
};

}  // namespace millrace
