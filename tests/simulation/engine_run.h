// Several lives of one agent on a file system that loses power, fills up and fails.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "config/property_section.h"
#include "core/channel_processor.h"
#include "core/component.h"
#include "core/sink.h"
#include "core/task_queue.h"
#include "io/event_loop.h"
#include "io/fake_file_system.h"

namespace millrace {

// Numbered events go through a file channel into rolling files. All that happens is drawn from the
// seed, but for the order in which the threads come to act.
class EngineRun {
 public:
  explicit EngineRun(std::uint64_t seed);

  // Some lives that end badly, and a last one without faults that ends when the channel is empty.
  // What was wrong, or nothing.
  std::string go();
  std::size_t acknowledged() const { return acknowledged_.size(); }
  std::size_t repeats() const { return repeats_; }

 private:
  std::size_t draw(std::size_t below);
  std::shared_ptr<Channel> make_channel();
  std::unique_ptr<Sink> make_sink();
  void live(bool is_last);
  void run_agent(const std::shared_ptr<Channel>& channel, bool is_last);
  void send(ChannelProcessor& processor, bool is_last);
  void put_batch(ChannelProcessor& processor);
  void break_something();
  void wait_until_empty(const Channel& channel);
  void check_conservation(const Channel& channel);
  std::string verdict();

  std::mt19937_64 random_;
  SystemClock clock_;
  FakeFileSystem files_;
  ByteBudget budget_{std::size_t{256} << 20};
  SlabPool slabs_{budget_};
  BatchSpace space_{slabs_};
  MetricsRegistry metrics_;
  EventLoop loop_{"simulation"};
  Services services_{clock_, files_, slabs_, metrics_, loop_};
  TaskQueue tasks_;
  PropertySection sink_keys_;
  PropertySection channel_keys_;
  bool text_ = false;
  bool exactly_once_ = false;
  std::uint64_t next_ = 0;  // Number of the next event.
  std::set<std::uint64_t> acknowledged_;
  std::size_t repeats_ = 0;
  std::string trouble_;
};

}  // namespace millrace
