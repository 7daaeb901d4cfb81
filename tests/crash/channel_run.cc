#include "channel_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/log.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostLives = 6;
constexpr std::size_t kMostSteps = 60;

}  // namespace

ChannelRun::ChannelRun(std::uint64_t seed)
    : seed_(seed),
      random_(seed),
      user_(ChannelModel(fmt::format("seed {}", seed)), kit_.services,
            kit_.metrics.group("CHANNEL", "crash"), kit_.slabs.pool()) {
  choose_shape();
}

ChannelRun::~ChannelRun() {
  kit_.files.on_operation(nullptr);
  kit_.files.cut_power();
}

std::size_t ChannelRun::draw(std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
}

std::vector<std::string> ChannelRun::complaints() {
  return user_.with_model([](const ChannelModel& model) { return model.complaints(); });
}

std::uint64_t ChannelRun::events() {
  return user_.with_model([](const ChannelModel& model) { return model.made(); });
}

std::uint64_t ChannelRun::came_again() {
  return user_.with_model([](const ChannelModel& model) { return model.came_again(); });
}

void ChannelRun::choose_shape() {
  dirs_ = 1 + draw(3);
  std::string dirs;
  for (std::size_t i = 0; i < dirs_; ++i) {
    dirs += (i > 0 ? "," : "") + std::string(kDirs[i]);
  }
  shape_.syncs = !chance(4);
  shape_.keys = {{"checkpointDir", "/check"},
                 {"dataDirs", dirs},
                 {"maxFileSize", "65536"},
                 {"minimumRequiredSpace", "1048576"},
                 {"checkpointInterval", "1000"},
                 {"capacity", chance(4) ? "200" : "100000"},
                 {"transactionCapacity", "100"},
                 {"useDualCheckpoints", chance(2) ? "true" : "false"},
                 {"backupCheckpointDir", "/backup"},
                 {"checkpointOnClose", chance(2) ? "true" : "false"},
                 {"fsyncPerTransaction", shape_.syncs ? "true" : "false"},
                 {"fsyncInterval", "1"}};
  shape_.memory_share = chance(2) ? std::size_t{1} << 26 : std::size_t{1} << 14;
  kit_.files.put("/keys/k1", std::string(16, 'x'));
  kit_.files.put("/keys/k2", std::string(32, 'y'));
  sources_ = 1 + draw(3);
  may_fail_ = chance(3);
  books_ = may_fail_ ? Books::kBounded : Books::kExact;
  may_drop_ = chance(4);
  one_by_one_ = chance(3);
  log_info("run", "{} dirs, {} sources, synced: {}, disk may fail: {}, checkpointOnClose: {}",
           dirs_, sources_, shape_.syncs, may_fail_, shape_.keys["checkpointOnClose"]);
}

bool ChannelRun::go() {
  const std::size_t lives = 2 + draw(kMostLives - 1);
  for (std::size_t i = 0; i < lives && complaints().empty(); ++i) {
    live_and_die();
  }
  if (complaints().empty()) {
    look_for_the_last_time();
  }
  return complaints().empty();
}

// ---- A life ----

void ChannelRun::live_and_die() {
  ++lives_;
  disk_found_ = kit_.files.fork(seed_);
  const Death death = plan_death();
  if (open()) {
    if (!chance(4)) {
      look_at_all();
    }
    if (complaints().empty() && !is_cut_) {
      live();
    }
  }
  die(death);
}

// The power goes at some operation of this life, at its start too, or at its end.
ChannelRun::Death ChannelRun::plan_death() {
  const Death death = chance(4) ? Death::kStop : chance(3) ? Death::kKill : Death::kPowerCut;
  if (death == Death::kPowerCut && !chance(4)) {
    const std::uint64_t at = kit_.files.operations() + draw(chance(3) ? 40 : kMostSteps * 5);
    kit_.files.on_operation([this, at](const FakeFileSystem::Call& call) {
      if (call.number >= at) {
        is_cut_ = true;
        kit_.files.cut_power();
      }
    });
  }
  return death;
}

void ChannelRun::look_for_the_last_time() {
  ++lives_;
  may_fail_ = false;
  disk_found_ = kit_.files.fork(seed_);
  if (open()) {
    look_at_all();
    user_.stop();
  }
}

// Encrypted or not, with one key or the other, whatever the life before had.
void ChannelRun::choose_key() {
  constexpr const char* kActive[] = {"NONE", "k1", "k2"};
  shape_.keys["encryption.activeKey"] = kActive[draw(std::size(kActive))];
  shape_.keys["encryption.keyProvider"] = "FILE";
  shape_.keys["encryption.keyProvider.keys"] = "k1 k2";
  shape_.keys["encryption.keyProvider.keys.k1.file"] = "/keys/k1";
  shape_.keys["encryption.keyProvider.keys.k2.file"] = "/keys/k2";
}

// A start on a disk that fails may come up without some of the dirs: what is in these is owed to
// the next one, but not made durable before.
void ChannelRun::start_under_faults() {
  break_something();
  static_cast<void>(user_.open(shape_));
  heal();
  if (user_.is_open() && !is_cut_) {
    kit_.files.cut_power();
    user_.leave();
    kit_.files.end_process();
  }
}

bool ChannelRun::open() {
  choose_key();
  if (may_fail_ && shape_.syncs && chance(4)) {
    start_under_faults();
    expected_.reset();
  }
  Result<> opened = is_cut_ ? Result<>(transient("the power is cut")) : user_.open(shape_);
  if (!opened.ok() && !is_cut_) {
    user_.with_model([&](ChannelModel& model) {
      model.complain("the channel does not start: " + opened.error().message());
    });
  }
  if (opened.ok() && expected_) {
    const ChannelCounts counts = user_.counts();
    user_.with_model([&](ChannelModel& model) { model.expect_counts(counts, *expected_); });
  }
  expected_.reset();
  return opened.ok();
}

// What the life before left. A cut in between cuts the look short.
void ChannelRun::look_at_all() {
  heal();
  if (!user_.take_all(books_, is_cut_)) {
    return;
  }
  books_ = may_fail_ ? Books::kBounded : Books::kExact;
  if (chance(2)) {
    user_.commit(draw(user_.leases() + 1));
  }
  user_.roll_back(user_.leases());
}

void ChannelRun::heal() {
  kit_.files.heal();
  kit_.files.set_room(UINT64_MAX);
}

void ChannelRun::live() {
  const std::size_t steps = draw(kMostSteps);
  for (std::size_t i = 0; i < steps; ++i) {
    if (may_fail_ && chance(15)) {
      chance(2) ? break_something() : heal();
    }
    step();
  }
}

void ChannelRun::step() {
  switch (draw(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
      put();
      break;
    case 4:
    case 5:
    case 6:
      user_.take(1 + draw(30));
      break;
    case 7:
    case 8:
      commit();
      break;
    default:
      chance(2) ? user_.roll_back(draw(user_.leases() + 1)) : user_.expect_answers();
      break;
  }
}

void ChannelRun::put() {
  constexpr std::size_t kSizes[] = {0, 10, 300, 3000, 20'000};
  const std::size_t most = kSizes[draw(std::size(kSizes))];
  std::vector<std::size_t> paddings(1 + draw(chance(4) ? 50 : 3));
  for (std::size_t& padding : paddings) {
    padding = draw(most + 1);
  }
  user_.put(draw(sources_), paddings, proves_leavings());
  if (one_by_one_ || chance(3)) {
    user_.expect_answers();
  }
}

// With several dirs another one's group may hold the acknowledgement and still be on its way; after
// a failure it may have to go a second time.
bool ChannelRun::proves_leavings() const {
  return dirs_ == 1 && !may_fail_ && shape_.syncs;
}

void ChannelRun::commit() {
  const std::size_t leases = draw(user_.leases() + 1);
  if (chance(8)) {
    user_.commit_and_hold(leases, 1 + draw(4));
  } else {
    user_.commit(leases, may_drop_ && chance(4));
  }
  kit_.clock.advance(100ms);
}

}  // namespace millrace
