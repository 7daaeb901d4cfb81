// The events of Flume's queue, read and cut into batches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "channel/flume_log/event_reader.h"
#include "channel/flume_log/replay.h"
#include "core/event_batch.h"

namespace millrace {

// Cuts the same folders into the same batches each time. Threads: one.
class FlumeBatches {
 public:
  FlumeBatches(FileSystem& files, const flume_log::Folders& folders,
               const std::vector<flume_log::Pointer>& events, std::uint64_t batch_events,
               SlabPool& slabs)
      : reader_(files, folders), events_(events), batch_events_(batch_events), space_(slabs) {}

  // The next one, null behind the last. Events that cannot be read are left out, and noted.
  // kTransient when the disk fails, or the memory for events is too small for one.
  Result<BatchPtr> next();

  std::uint64_t position() const { return next_; }  // In Flume's queue.
  std::uint64_t removed() const { return removed_; }
  const std::vector<flume_log::Damage>& damages() const { return damages_; }

 private:
  Result<> add(const flume_log::StoredEvent& event, EventBatch::Builder& builder);

  flume_log::EventReader reader_;
  const std::vector<flume_log::Pointer>& events_;
  const std::uint64_t batch_events_;
  BatchSpace space_;
  std::uint64_t next_ = 0;
  std::size_t bytes_ = 0;          // Of the batch that is being made.
  std::string last_headers_;       // Events that follow one another often have the same headers:
  std::string_view shared_block_;  // these share a block of the batch.
  std::uint64_t removed_ = 0;
  std::vector<flume_log::Damage> damages_;
};

}  // namespace millrace
