#include "channel/file/backlog.h"

#include <algorithm>

namespace millrace::file_channel {
namespace {

// What the smallest batch takes beside its bytes.
constexpr std::size_t kOverhead = 4096;

}  // namespace

Chunk Chunk::whole(BatchPtr batch, EventNumber first) {
  const auto size = static_cast<std::uint32_t>(batch->size());
  const std::size_t cost = batch->pinned_bytes() + kOverhead;
  return {std::move(batch), 0, size, first, cost};
}

Chunk Chunk::split(std::uint32_t count) {
  const std::size_t part = size() > 0 ? cost * count / size() : 0;
  Chunk front{batch, from, from + count, first, part};
  from += count;
  first += count;
  cost -= part;
  return front;
}

void Backlog::restore(const Reckoning& recovered) {
  const std::uint64_t next_ticket = next_ticket_;  // One of before fits nothing from now on.
  *this = Backlog();
  next_ticket_ = next_ticket;
  next_ = recovered.next;
  live_ = recovered.live;
  dropped_ = recovered.dropped;
  void_numbers_ = recovered.void_numbers;
  settled_voids_ = {next_, void_numbers_};
}

EventRange Backlog::accept(std::uint64_t events) {
  const EventRange numbers{next_, next_ + events};
  next_ = numbers.end;
  in_flight_ += events;
  live_.add(numbers);
  return numbers;
}

void Backlog::revoke(EventRange numbers) {
  live_.remove(numbers);
  in_flight_ -= numbers.count();
  void_numbers_ += numbers.count();
  new_voids_.add(numbers);
}

std::vector<EventRange> Backlog::settle_voids(const EventRanges& in_flight) {
  const auto first_of = [this](const EventRanges& numbers) {
    return numbers.empty() ? next_ : numbers.all().front().first;
  };
  const EventNumber below = std::min(first_of(in_flight), first_of(unlogged_));
  std::vector<EventRange> settled = new_voids_.within({0, below});
  const std::uint64_t count = new_voids_.remove({0, below});
  if (count > 0) {
    settled_voids_ = {below, settled_voids_.numbers + count};
  }
  return settled;
}

void Backlog::add_ready(Chunk chunk) {
  memory_ += chunk.cost;
  ready_.emplace(chunk.first, std::move(chunk));
}

std::optional<EventNumber> Backlog::first_ready() const {
  if (ready_.empty()) {
    return std::nullopt;
  }
  return ready_.begin()->first;
}

std::optional<std::pair<std::uint64_t, Chunk>> Backlog::take(const TakeLimit& limit) {
  if (ready_.empty()) {
    return std::nullopt;
  }
  auto node = ready_.extract(ready_.begin());
  Chunk& chunk = node.mapped();
  const auto count =
      static_cast<std::uint32_t>(limit.events_of(*chunk.batch, chunk.from, chunk.to));
  Chunk taken = count < chunk.size() ? chunk.split(count) : chunk;
  if (taken.to < chunk.to) {
    node.key() = chunk.first;
    ready_.insert(std::move(node));
  }
  const std::uint64_t ticket = next_ticket_++;
  leased_.emplace(ticket, taken);
  return std::pair(ticket, std::move(taken));
}

std::vector<EventRange> Backlog::commit(std::span<const Lease> leases,
                                        std::span<const HeldPart> held, SteadyTime held_until) {
  std::vector<EventRange> left;
  auto part = held.begin();
  for (std::size_t i = 0; i < leases.size(); ++i) {
    while (part != held.end() && part->lease < i) {
      ++part;
    }
    const auto node = leased_.extract(leases[i].ticket);
    if (node.empty()) {
      continue;  // Of before a restart of the channel: its events come again.
    }
    const Chunk& chunk = node.mapped();
    memory_ -= chunk.cost;
    EventNumber from = chunk.first;
    for (; part != held.end() && part->lease == i; ++part) {
      for (const std::uint32_t position : part->positions) {
        left.push_back({from, chunk.first + position});
        from = chunk.first + position + 1;
      }
      hold(*part, chunk, held_until);
    }
    left.push_back({from, chunk.numbers().end});
  }
  std::erase_if(left, [](const EventRange& range) { return range.empty(); });
  for (const EventRange& range : left) {
    live_.remove(range);
  }
  return unlogged_.empty() ? left : forget_unlogged(std::move(left));
}

// One chunk for each run of neighbours.
void Backlog::hold(const HeldPart& part, const Chunk& leased, SteadyTime until) {
  const auto events = static_cast<std::uint32_t>(part.positions.size());
  Chunk rest = part.batch != nullptr ? Chunk::whole(part.batch, 0) : Chunk{nullptr, 0, events};
  for (std::size_t i = 0; i < part.positions.size();) {
    std::uint32_t run = 1;
    while (i + run < part.positions.size() && part.positions[i + run] == part.positions[i] + run) {
      ++run;
    }
    Chunk chunk = rest.split(run);
    chunk.first = leased.first + part.positions[i];
    memory_ += chunk.cost;
    held_events_ += run;
    held_.emplace(until, std::move(chunk));
    i += run;
  }
}

void Backlog::roll_back(std::span<const Lease> leases) {
  for (const Lease& lease : leases) {
    auto node = leased_.extract(lease.ticket);
    if (!node.empty()) {
      ready_.emplace(node.mapped().first, std::move(node.mapped()));
    }
  }
}

void Backlog::release_held(SteadyTime now) {
  while (!held_.empty() && held_.begin()->first <= now) {
    Chunk& chunk = held_.begin()->second;
    held_events_ -= chunk.size();
    if (chunk.batch != nullptr) {
      ready_.emplace(chunk.first, std::move(chunk));
    } else {
      wanted_back_.add(chunk.numbers());
    }
    held_.erase(held_.begin());
  }
}

std::optional<SteadyTime> Backlog::next_release() const {
  if (held_.empty()) {
    return std::nullopt;
  }
  return held_.begin()->first;
}

std::uint64_t Backlog::lose(EventRange numbers) {
  const std::uint64_t lost = live_.remove(numbers);
  dropped_ += lost;
  return lost;
}

std::vector<EventRange> Backlog::unaccounted(const EventRanges& elsewhere) const {
  EventRanges missing = live_;
  for (const EventRange& range : elsewhere.all()) {
    missing.remove(range);
  }
  for (const EventRange& range : wanted_back_.all()) {
    missing.remove(range);
  }
  for (const auto& [first, chunk] : ready_) {
    missing.remove(chunk.numbers());
  }
  for (const auto& [ticket, chunk] : leased_) {
    missing.remove(chunk.numbers());
  }
  for (const auto& [until, chunk] : held_) {
    missing.remove(chunk.numbers());
  }
  return missing.all();
}

// Numbers are given without gaps, so what was put follows from the last one; what has left is the
// rest.
ChannelCounts Backlog::counts() const {
  ChannelCounts counts;
  counts.put = next_ - void_numbers_ - in_flight_;
  counts.held = held_events_;
  counts.in_channel = live_.count() - in_flight_ - held_events_;
  const std::uint64_t gone = counts.put - counts.held - counts.in_channel;
  counts.dropped = std::min(dropped_, gone);
  counts.acknowledged = gone - counts.dropped;
  return counts;
}

}  // namespace millrace::file_channel
