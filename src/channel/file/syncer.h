// Syncs a file while its writer goes on writing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/stoppable_condition.h"
#include "io/file_system.h"

namespace millrace::file_channel {

// One fdatasync at a time; the next one covers all that was written meanwhile, so that the disk
// never waits for a writer that prepares its next group.
// Threads: its owner's, which writes the files; the syncs and `finished` run on its own.
class Syncer {
 public:
  // `finished` is called without a lock whenever there is an outcome.
  explicit Syncer(std::function<void()> finished);
  ~Syncer();  // Waits for the sync that runs.

  // Makes durable what was written to `file` up to `end`. Another file only when nothing is busy.
  void request(std::shared_ptr<File> file, std::uint64_t end);

  struct Outcome {
    std::uint64_t end = 0;  // All before it is durable, when `result` is ok.
    Result<> result;        // A failure holds for everything that was requested.
  };
  // What has come of the requests since the last call, if anything.
  std::optional<Outcome> take_outcome();
  // A request is waiting or under way.
  bool busy() const;

 private:
  void run(const std::stop_token& stop);

  const std::function<void()> finished_;
  mutable std::mutex mutex_;  // Guards what follows; no other lock is taken under it.
  StoppableCondition requested_;
  std::shared_ptr<File> file_;
  std::uint64_t wanted_ = 0;  // 0: nothing waits.
  bool syncing_ = false;
  std::optional<Outcome> outcome_;
  std::jthread thread_;
};

}  // namespace millrace::file_channel
