// Random lives of a spillable memory channel against a model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>

#include "channel/spillable/spillable_fixture.h"

namespace millrace {
namespace {

using testing_kit::bodies_of;

constexpr std::size_t kSources = 3;

// Goal: each source's events come in the order in which it put them, whatever is in memory, in the
// log or on its way there, is rolled back or held up by other sinks; an orderly stop loses none; a
// kill loses those in memory alone. Method: the model knows of each event whether it is there,
// leased or gone, and where it was put; a lease has the first ones that are there of each source.
class SpillableModelTest : public SpillableTest {
 protected:
  // kMaybe: it left before a kill that may have come before its acknowledgement was written.
  enum class At { kWaiting, kLeased, kGone, kMaybe };
  struct Event {
    At at = At::kWaiting;
    std::shared_ptr<Answer> answer;
  };

  std::size_t draw(std::size_t below) { return random_() % below; }

  void put_some() {
    const std::size_t source = draw(kSources);
    std::vector<Event>& events = events_[source];
    Bodies bodies;
    for (std::size_t i = 0; i <= draw(4); ++i) {
      bodies.push_back(std::to_string(source) + ":" + std::to_string(events.size() + i) +
                       std::string(draw(2000), ' '));
    }
    const auto answer = std::make_shared<Answer>();
    if (offer(kit.slabs.batch_of_bodies(bodies), answer) == PutStatus::kAccepted) {
      events.resize(events.size() + bodies.size(), {At::kWaiting, answer});
    }
  }

  Event& event_of(const std::string& body) {
    return events_[static_cast<std::size_t>(body[0] - '0')][std::stoul(body.substr(2))];
  }

  // A lease has what comes next of each source.
  void take_some() {
    const std::optional<Lease> lease = take(1 + draw(5));
    if (!lease) {
      return;
    }
    for (const std::string& body : bodies_of(*lease->batch)) {
      std::vector<Event>& events = events_[static_cast<std::size_t>(body[0] - '0')];
      const auto next = std::find_if(events.begin(), events.end(), [&](const Event& each) {
        return each.at == At::kWaiting || (&each == &event_of(body) && each.at == At::kMaybe);
      });
      ASSERT_NE(next, events.end()) << body;
      ASSERT_EQ(&*next, &event_of(body)) << body << " came before " << next - events.begin();
      next->at = At::kLeased;
    }
    leases_.push_back(*lease);
  }

  void end_some(bool commits) {
    if (leases_.empty()) {
      return;
    }
    const std::size_t which = draw(leases_.size());
    for (const std::string& body : bodies_of(*leases_[which].batch)) {
      event_of(body).at = commits ? At::kGone : At::kWaiting;
    }
    if (commits) {
      commit(leases_[which]);
    } else {
      channel->roll_back({&leases_[which], 1});
    }
    leases_.erase(leases_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void wait_for_answers() {
    for (const std::vector<Event>& events : events_) {
      for (const Event& event : events) {
        ASSERT_TRUE(testing_kit::eventually([&] { return event.answer->came.load(); }));
        ASSERT_TRUE(event.answer->ok);
      }
    }
  }

  void restart(bool is_kill) {
    wait_for_answers();
    leases_.clear();
    for (std::vector<Event>& events : events_) {
      for (Event& event : events) {
        event.at = after_end(event, is_kill);
      }
    }
    if (is_kill) {
      kit.files.let_unsynced_survive(false);
      kill();
    } else {
      channel->stop();
      for (std::vector<Event>& events : events_) {
        for (Event& event : events) {
          if (event.at == At::kWaiting) {
            parked_.insert(&*event.answer);
          }
        }
      }
    }
    open(keys_);
  }
  // What the end of the process makes of an event.
  At after_end(const Event& event, bool is_kill) const {
    const bool is_in_log = !event.answer->in_memory || parked_.contains(&*event.answer);
    if (is_kill && !is_in_log) {
      return At::kGone;
    }
    if (event.at == At::kGone || event.at == At::kMaybe) {
      return is_kill ? At::kMaybe : event.at;
    }
    return At::kWaiting;
  }

  void finish() {
    wait_for_answers();
    while (!leases_.empty()) {
      end_some(draw(2) == 0);
    }
    for (;;) {
      take_some();
      if (HasFatalFailure() || leases_.empty()) {
        break;
      }
      end_some(true);
    }
    for (std::size_t source = 0; source < kSources; ++source) {
      for (std::size_t i = 0; i < events_[source].size(); ++i) {
        const At at = events_[source][i].at;
        ASSERT_TRUE(at == At::kGone || at == At::kMaybe) << source << ":" << i << " is missing";
      }
    }
    expect_conserved();
    EXPECT_EQ(channel->counts().in_channel, 0U);
  }

  void live(std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_.seed(seed);
    keys_ = {{"dataDirs", "/data" + std::to_string(seed)},
             {"checkpointDir", "/check" + std::to_string(seed)},
             {"memoryCapacity", std::to_string(1 + draw(30))},
             {"overflowDeactivationThreshold", std::to_string(draw(101))},
             {"byteCapacity", std::to_string(draw(2) * 20'000)},
             {"checkpointOnClose", draw(2) == 0 ? "true" : "false"}};
    open(keys_);
    for (int step = 0; step < 400 && !HasFatalFailure(); ++step) {
      const std::size_t what = draw(100);
      if (what < 45) {
        put_some();
      } else if (what < 75) {
        take_some();
      } else if (what < 98) {
        end_some(what < 90);
      } else {
        restart(what == 99);
      }
      expect_conserved();
    }
    if (!HasFatalFailure()) {
      finish();
    }
    channel->stop();
  }

  std::mt19937_64 random_;
  Keys keys_;
  std::vector<Event> events_[kSources];
  std::vector<Lease> leases_;
  std::set<const Answer*> parked_;
};

TEST_F(SpillableModelTest, LosesNothingAndKeepsTheOrder) {
  const char* const given = std::getenv("MILLRACE_SEED");
  const std::uint64_t first = given != nullptr ? std::stoull(given) : std::random_device{}();
  std::printf("MILLRACE_SEED=%llu\n", static_cast<unsigned long long>(first));
  const int runs = given != nullptr ? 1 : 20;
  for (int run = 0; run < runs && !HasFatalFailure(); ++run) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(run);
    for (auto& events : events_) {
      events.clear();
    }
    parked_.clear();
    live(seed);
  }
}

}  // namespace
}  // namespace millrace
