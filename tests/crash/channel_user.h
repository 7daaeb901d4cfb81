// Puts events into a file channel and takes them out, beside a model that knows what is owed.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "channel/file/file_channel.h"
#include "channel_model.h"
#include "core/testing_services.h"

namespace millrace {

struct ChannelShape {
  std::map<std::string, std::string> keys;
  std::size_t memory_share = std::size_t{1} << 26;
  bool syncs = true;  // fsyncPerTransaction.
};

// One process after another that has the channel open, on one disk. Threads: one; the channel's
// answers come on its own.
class ChannelUser {
 public:
  // The model is copied. `services` and what they borrow outlive this.
  ChannelUser(ChannelModel model, Services& services, MetricGroup& metrics, SlabPool& slabs);
  ~ChannelUser();

  // A life of the channel.
  Result<> open(const ChannelShape& shape);
  bool is_open() const { return channel_ != nullptr; }
  ChannelCounts stop();  // In order; what it had counted.
  void leave();          // The process is gone; the disk has to be dead by now.

  // `proves`: an ok says, too, that what has left before this put has left for good.
  void put(std::size_t source, const std::vector<std::size_t>& paddings, bool proves);
  void expect_answers();  // Waits until all puts are answered; they must be.
  bool take(std::size_t events);
  std::size_t leases() const { return leases_.size(); }
  void commit(std::size_t count, bool drop = false);
  // One of `keep_one_in` events stays in the channel, until the clock has moved on by a second.
  void commit_and_hold(std::size_t count, std::size_t keep_one_in);
  void roll_back(std::size_t count);  // The last leases.

  // Takes all that is there, which must be all that is owed; false when `is_cut` came between.
  bool take_all(Books books, const std::atomic<bool>& is_cut);
  ChannelCounts counts() const { return channel_->counts(); }

  // The model, under the lock that the answers take.
  template <class Use>
  auto with_model(Use use) {
    const std::lock_guard lock(mutex_);
    return use(model_);
  }

 private:
  struct Taken {
    Lease lease;
    ChannelModel::Events events;
  };

  std::vector<Lease> leases_of(std::size_t from, std::size_t to) const;
  PutDone answer_to(const ChannelModel::Offer& offer, bool proves);

  Services& services_;
  MetricGroup& metrics_;
  BatchSpace space_;
  std::mutex mutex_;  // Guards model_ and unanswered_.
  std::condition_variable answered_;
  ChannelModel model_;
  std::size_t unanswered_ = 0;
  bool syncs_ = true;
  std::unique_ptr<FileChannel> channel_;
  std::vector<Taken> leases_;
};

}  // namespace millrace
