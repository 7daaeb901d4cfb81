// A file channel that is used at random while its power is cut, beside a model that knows what must
// come back.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "channel/file/file_channel.h"
#include "core/testing_services.h"
#include "power_cut_model.h"

namespace millrace {

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
  const std::vector<std::string>& complaints() const { return model_.complaints(); }
  std::uint64_t operations() const { return kit_.files.operations(); }
  std::uint64_t offered() const { return model_.offered(); }
  std::uint64_t came_again() const { return model_.came_again(); }

 private:
  using Batch = PowerCutModel::Batch;
  struct Held {
    Lease lease;
    Batch events;
  };

  void choose_shape();
  void choose_key();
  bool open();
  void plan_cut();
  void live();
  void inject_fault();
  void step();
  void put();
  void take();
  void commit_some(bool hold_some);
  void roll_back_some();
  void die();
  void check_survivors();
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
  PowerCutModel model_;
};

}  // namespace millrace
