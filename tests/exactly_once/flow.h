// A file channel and a sink `file_roll` that delivers exactly once, on a disk in memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>

#include "base/clock.h"
#include "base/metrics.h"
#include "core/channel.h"
#include "core/component.h"
#include "core/sink_drain.h"
#include "io/event_loop.h"
#include "io/fake_file_system.h"

namespace millrace {

// One process, from its start to its end, whichever comes first of stop() and a cut.
// Threads: the test's, and the channel's own.
class Flow {
 public:
  // All outlive it. `is_cut` is set, and `cut` requested, when the disk does nothing any more.
  Flow(FakeFileSystem& files, FakeClock& clock, const std::atomic<bool>& is_cut,
       std::stop_token cut);
  ~Flow();

  bool start();
  // Puts `count` events with numbers from `first` on; those that are acknowledged, or may come
  // although they are not, are added to the sets.
  void put(std::uint64_t first, std::size_t count, std::set<std::uint64_t>& acknowledged,
           std::set<std::uint64_t>& offered);
  // One transaction, with or without events; false when it failed.
  bool drain();
  void drain_all();
  void stop();

 private:
  FakeFileSystem& files_;
  FakeClock& clock_;
  const std::atomic<bool>& is_cut_;
  const std::stop_token cut_;
  ByteBudget budget_{std::size_t{64} << 20};
  SlabPool slabs_{budget_};
  BatchSpace space_{slabs_};
  MetricsRegistry metrics_;
  EventLoop loop_{"flow"};
  Services services_{clock_, files_, slabs_, metrics_, loop_};
  std::shared_ptr<Channel> channel_;
  std::optional<SinkDrain> drain_;
};

}  // namespace millrace
