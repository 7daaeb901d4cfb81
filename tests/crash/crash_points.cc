#include "crash_points.h"

#include <fmt/core.h>

#include <algorithm>
#include <thread>

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Operation = FakeFileSystem::Operation;

constexpr std::size_t kThreads = 4;
constexpr std::size_t kLarge = 18'000;  // Three of them take most of a segment.

// What changes the disk, and what it is called. A file that is opened may be made: it is not synced
// when the next of these comes.
const char* changing(Operation operation) {
  switch (operation) {
    case Operation::kWrite:
      return "write";
    case Operation::kSync:
      return "sync";
    case Operation::kTruncate:
      return "truncate";
    case Operation::kAllocate:
      return "allocate";
    case Operation::kRename:
      return "rename";
    case Operation::kRemove:
      return "remove";
    case Operation::kSyncDirectory:
      return "sync folder";
    default:
      return nullptr;
  }
}

std::string to_string(const Kept& kept) {
  std::string text;
  for (const unsigned sectors : kept) {
    text += fmt::format("{:02x}", sectors);
  }
  return text;
}

}  // namespace

struct CrashPoints::Bench {
  testing_kit::TestServices kit;
};

CrashPoints::CrashPoints(std::uint64_t seed, const std::string& data_dirs) : seed_(seed) {
  shape_.keys = {{"checkpointDir", "/check"},
                 {"dataDirs", data_dirs},
                 {"maxFileSize", "65536"},
                 {"minimumRequiredSpace", "1048576"},
                 {"checkpointInterval", "86400000"}};
  run_script();
}

// ---- The script ----

void CrashPoints::record(ChannelUser& user, FakeFileSystem& files,
                         std::vector<Point>& points) const {
  files.on_operation([this, &user, &files, &points](const FakeFileSystem::Call& call) {
    if (const char* const name = changing(call.operation)) {
      user.with_model([&](const ChannelModel& model) {
        points.push_back(
            {files.fork(seed_), model, fmt::format("{} {}", name, call.path.string())});
      });
    }
  });
}

void CrashPoints::run_script() {
  testing_kit::TestServices kit;
  const bool one_dir = shape_.keys["dataDirs"].find(',') == std::string::npos;
  ChannelUser user(ChannelModel("script"), kit.services, kit.metrics.group("CHANNEL", "crash"),
                   kit.slabs.pool());
  const auto put = [&](std::size_t events, std::size_t padding) {
    user.put(0, std::vector<std::size_t>(events, padding), one_dir);
    user.expect_answers();
  };
  // Until the channel's threads have nothing more to do.
  const auto settle = [&] {
    std::uint64_t seen = 0;
    do {
      seen = kit.files.operations();
      std::this_thread::sleep_for(15ms);
    } while (kit.files.operations() != seen);
  };
  const auto open = [&] {
    const Result<> opened = user.open(shape_);
    if (!opened.ok()) {
      user.with_model([&](ChannelModel& model) { model.complain(opened.error().message()); });
    }
    settle();
  };
  const auto take_and_commit = [&](std::size_t events) {
    while (user.take(events)) {
    }
    user.commit(user.leases());
    settle();
  };
  record(user, kit.files, points_);
  open();
  put(3, 10);
  put(1, 5000);
  user.take(2);
  user.commit(1);
  put(2, 10);  // Carries the acknowledgement.
  for (int i = 0; i < 12; ++i) {
    put(3, kLarge);  // Each in a segment of its own.
  }
  user.take(4);
  user.commit_and_hold(1, 2);
  kit.clock.advance(2s);
  take_and_commit(5);
  for (int i = 0; i < 3;
       ++i) {  // The roll frees more segments than are kept; these are used again.
    put(3, kLarge);
    settle();
  }
  user.stop();
  open();
  put(2, 300);
  user.take(4);
  user.commit(1);
  kit.files.cut_power();
  user.leave();
  kit.files.end_process();
  open();
  put(1, 10);
  take_and_commit(3);
  user.stop();
  kit.files.on_operation(nullptr);
  user.with_model([&](const ChannelModel& model) {
    points_.push_back({kit.files.fork(seed_), model, "the end"});
    complaints_ = model.complaints();
  });
}

// ---- The crashes ----

void CrashPoints::check_all(std::uint64_t stride) {
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&] {
    Bench bench;
    for (std::uint64_t i = next++; i * stride < points_.size(); i = next++) {
      const Point& point = points_[i * stride];
      check(bench, point,
            fmt::format("dataDirs={}, point {} of {}, before {}", shape_.keys["dataDirs"],
                        i * stride, points_.size(), point.next));
    }
  };
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < kThreads; ++i) {
    workers.emplace_back(work);
  }
}

void CrashPoints::check(Bench& bench, const Point& point, const std::string& name) {
  const std::vector<FakeDisk::Unsynced> unsynced = point.disk->unsynced();
  for (const Kept& kept : all_ways(unsynced, seed_)) {
    crash(bench, point, kept, name);
  }
  for (const Kept& kept : few_ways(unsynced)) {
    crash_twice(bench, point, kept, name);
  }
}

void CrashPoints::crash(Bench& bench, const Point& point, const Kept& kept,
                        const std::string& name) {
  ++crashes_;
  const std::unique_ptr<FakeFileSystem> disk = point.disk->fork(seed_);
  disk->restore_power(kept);
  ChannelModel model = point.model;
  model.rename(fmt::format("{}, keeping {}", name, to_string(kept)));
  look(bench, *disk, std::move(model), nullptr);
}

void CrashPoints::crash_twice(Bench& bench, const Point& point, const Kept& kept,
                              const std::string& name) {
  const std::unique_ptr<FakeFileSystem> disk = point.disk->fork(seed_);
  disk->restore_power(kept);
  std::vector<Point> points;
  ChannelModel found = point.model;
  found.rename(name + ", at its start");
  look(bench, *disk, std::move(found), &points);
  for (const Point& second : points) {
    for (const Kept& kept_then : few_ways(second.disk->unsynced())) {
      ++second_crashes_;
      const std::unique_ptr<FakeFileSystem> then = second.disk->fork(seed_);
      then->restore_power(kept_then);
      ChannelModel model = second.model;
      model.rename(fmt::format("{}, keeping {}, then before {}, keeping {}", name, to_string(kept),
                               second.next, to_string(kept_then)));
      look(bench, *then, std::move(model), nullptr);
    }
  }
}

// Opens the channel and looks at all that is there; the operations of that are put into `points`.
void CrashPoints::look(Bench& bench, FakeFileSystem& disk, ChannelModel model,
                       std::vector<Point>* points) {
  Services services{bench.kit.clock, disk, bench.kit.slabs.pool(), bench.kit.metrics,
                    bench.kit.loop};
  const std::atomic<bool> never = false;
  ChannelUser user(std::move(model), services, bench.kit.metrics.group("CHANNEL", "crash"),
                   bench.kit.slabs.pool());
  if (points != nullptr) {
    record(user, disk, *points);
  }
  const Result<> opened = user.open(shape_);
  if (opened.ok()) {
    user.take_all(Books::kExact, never);
  } else {
    user.with_model([&](ChannelModel& m) {
      m.complain("the channel does not start: " + opened.error().message());
    });
  }
  disk.cut_power();
  disk.on_operation(nullptr);
  user.leave();
  const std::vector<std::string> complaints =
      user.with_model([](const ChannelModel& m) { return m.complaints(); });
  const std::lock_guard lock(mutex_);
  complaints_.insert(complaints_.end(), complaints.begin(), complaints.end());
}

}  // namespace millrace
