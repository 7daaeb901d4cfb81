// The part of a backlog that is in memory alone, for the spillable memory channel.
#include <algorithm>

#include "channel/file/backlog.h"

namespace millrace::file_channel {

void Backlog::accept_unlogged(BatchPtr batch) {
  const EventRange numbers = accept(batch->size());
  made_durable(numbers);  // As far as it ever will be: it is not on its way to the disk.
  unlogged_.add(numbers);
  add_ready(Chunk::whole(std::move(batch), numbers.first));
}

bool Backlog::is_unlogged(const Lease& lease) const {
  const auto found = leased_.find(lease.ticket);
  return found != leased_.end() && unlogged_.contains(found->second.first);
}

// Gives what is left of the ranges for the log to hear of.
std::vector<EventRange> Backlog::forget_unlogged(std::vector<EventRange> left) {
  std::vector<EventRange> logged;
  for (const EventRange& range : left) {
    const std::vector<EventRange> parts = unlogged_.gaps(range);
    logged.insert(logged.end(), parts.begin(), parts.end());
    unlogged_.remove(range);
  }
  left.swap(logged);
  return left;
}

std::vector<Chunk> Backlog::log_all() {
  std::vector<Chunk> chunks;
  const auto take_from = [&](auto& all) {
    std::erase_if(all, [&](auto& each) {
      const bool is_unlogged = unlogged_.contains(each.second.first);
      if (is_unlogged) {
        memory_ -= each.second.cost;
        chunks.push_back(std::move(each.second));
      }
      return is_unlogged;
    });
  };
  take_from(ready_);
  take_from(leased_);
  const std::size_t before_held = chunks.size();
  take_from(held_);
  for (std::size_t i = before_held; i < chunks.size(); ++i) {
    held_events_ -= chunks[i].size();
  }
  std::sort(chunks.begin(), chunks.end(),
            [](const Chunk& a, const Chunk& b) { return a.first < b.first; });
  in_flight_ += unlogged_.count();
  unlogged_.clear();
  return chunks;
}

void Backlog::lost_on_the_way(EventRange numbers) {
  void_numbers_ -= numbers.count();
  dropped_ += numbers.count();
  new_voids_.remove(numbers);
}

}  // namespace millrace::file_channel
