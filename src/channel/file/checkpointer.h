// The thread that writes checkpoints, and frees the segments that nothing needs any more.
#pragma once

#include <thread>
#include <utility>
#include <vector>

#include "channel/file/state.h"

namespace millrace::file_channel {

// A checkpoint is written each interval in which something changed, whenever the log has grown by
// some segments, so that a start never reads much, and when segments are wanted back. Before that
// one, all acknowledgements of events that segments still hold are written to the log once more:
// then no earlier acknowledgement is needed, and the log alone, without any checkpoint, tells what
// is in the channel. A segment is freed when the checkpoint that leaves it out is durable.
class Checkpointer {
 public:
  explicit Checkpointer(State& state);
  void start();
  void stop();  // Ends the thread, after State::closing was set.

  // Writes one now. Not while the thread runs.
  Result<> write();

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Freed {
    Lane* lane;
    SegmentPtr segment;
  };

  void run();
  bool wait_for_cause(Lock& lock);
  std::uint64_t segments_begun() const;
  std::vector<Freed> unneeded() const;
  bool write_acks_again(Lock& lock);
  Checkpoint snapshot(const std::vector<Freed>& freed) const;
  struct Written {
    bool somewhere = false;
    Result<> trouble;  // Of the last dir that failed.
  };
  Written write_everywhere(const Checkpoint& checkpoint);
  void recycle(const std::vector<Freed>& freed);

  State& state_;
  std::chrono::steady_clock::time_point last_{};
  std::pair<EventNumber, std::uint64_t> written_{};  // Next number and acks of the last one.
  std::uint64_t begun_by_last_ = 0;                  // Segments, of all dirs.
  bool is_complaining_ = false;
  std::jthread thread_;
};

}  // namespace millrace::file_channel
