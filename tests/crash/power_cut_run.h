// A file channel that is used at random while its power is cut, beside a model that knows what must
// come back.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "channel/file/file_channel.h"
#include "core/testing_services.h"

namespace millrace {

// What the model knows of an event, by its number in the run.
enum class Fate {
  kOffered,       // Put, and not answered, or answered with an error: may come back.
  kCommitted,     // Put and answered: must come back.
  kAcknowledged,  // Committed out of the channel: may come back once more.
};

struct PowerCutOptions {
  std::uint64_t seed = 1;
  int steps = 60;            // Puts, takes, commits… between two cuts.
  std::int64_t cut_at = -1;  // Number of the operation that the power is cut at; -1: at random.
  bool plain = false;        // One dir, no faults: for cuts at every step of one script.
};

// One life after another of one channel on one fake disk. Each ends with a power cut, or now and
// then an orderly stop; then what comes back is held against the model. Runs can be repeated by
// their seed, but for the order in which the channel's threads come to act.
class PowerCutRun {
 public:
  explicit PowerCutRun(PowerCutOptions options);
  ~PowerCutRun();

  // One life and one death, then a look at what came back. False, with what was wrong in
  // complaints(), when a promise was broken.
  bool run_once();
  const std::vector<std::string>& complaints() const { return complaints_; }
  std::uint64_t operations() const { return kit_.files.operations(); }
  std::uint64_t offered() const { return bodies_.size(); }
  std::uint64_t came_again() const { return came_again_; }

 private:
  using Batch = std::vector<std::uint64_t>;  // Numbers of its events.
  struct Held {
    Lease lease;
    Batch events;
  };

  void choose_shape();
  bool open();
  void close();
  void plan_cut();
  void live();
  void inject_fault();
  void step();
  void put();
  void take();
  void commit_some(bool hold_some);
  void roll_back_some();
  void settle();
  void die();
  void forget_acknowledged();
  void check_survivors();
  Batch identify(const EventBatch& batch);
  void expect_order(const Batch& events);
  std::string body(std::uint64_t event);
  void complain(const std::string& what);
  std::size_t draw(std::size_t below);

  const PowerCutOptions options_;
  std::mt19937_64 random_;
  testing_kit::TestServices kit_;
  std::map<std::string, std::string> keys_;
  std::size_t memory_share_ = 0;
  std::size_t dirs_ = 1;
  bool has_faults_ = false;      // In this life.
  bool acks_are_strict_ = true;  // A put answered after a commit proves the commit durable.
  std::atomic<bool> is_cut_ = false;
  std::unique_ptr<FileChannel> channel_;
  std::vector<Held> leases_;

  std::mutex mutex_;  // Guards what follows; puts are answered on the channel's threads.
  std::condition_variable answered_;
  std::size_t unanswered_ = 0;
  std::map<std::uint64_t, Fate> fates_;   // Of all that is not gone.
  std::set<std::uint64_t> acknowledged_;  // Since the last proof that they are durable.

  std::vector<std::string> bodies_;
  std::set<std::uint64_t> seen_;  // Delivered in this life and not given back.
  std::uint64_t next_in_order_ = 0;
  std::set<std::uint64_t> out_of_order_;  // Rolled back or held: may come late.
  std::uint64_t came_again_ = 0;
  std::vector<std::string> complaints_;
};

}  // namespace millrace
