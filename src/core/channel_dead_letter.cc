#include "core/channel_dead_letter.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

namespace millrace {
namespace {

using namespace std::chrono_literals;
using RealClock = std::chrono::steady_clock;

constexpr auto kRoomPatience = 100ms;
constexpr auto kAnswerPatience = 10s;
// A put is no larger than this part of the channel: it fits beside what waits in there.
constexpr std::size_t kPartOfChannel = 10;

// What another thread says, at most once; lives until both sides have let go of it.
template <class T>
class Word {
 public:
  void say(T value) {
    {
      const std::lock_guard lock(mutex_);
      value_ = std::move(value);
    }
    said_.notify_one();
  }
  // Nothing when it has not come in time.
  std::optional<T> await(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    said_.wait_until(lock, RealClock::now() + patience, [this] { return value_.has_value(); });
    return std::move(value_);
  }

 private:
  std::mutex mutex_;  // Guards value_.
  std::condition_variable said_;
  std::optional<T> value_;
};

// A moment, or until there may be room.
void wait_for_room(Channel& channel) {
  const auto room = std::make_shared<Word<bool>>();
  channel.when_room([room] { room->say(true); });
  (void)room->await(kRoomPatience);
}

}  // namespace

ChannelDeadLetter::ChannelDeadLetter(std::string name, std::shared_ptr<Channel> channel,
                                     SlabPool& slabs)
    : name_("channel " + std::move(name)), channel_(std::move(channel)), slabs_(slabs) {}

Posted ChannelDeadLetter::write(const BatchPtr& letters) {
  const std::size_t most =
      std::min(channel_->transaction_capacity(),
               std::max<std::size_t>(channel_->capacity() / kPartOfChannel, 1));
  Posted posted;
  while (posted.events < letters->size()) {
    const std::size_t to = std::min(posted.events + most, letters->size());
    const BatchPtr piece = letters->slice(posted.events, to);
    const BatchPtr copy = piece->compact(slabs_);  // It may stay for long: it pins no more.
    posted.outcome = put(copy != nullptr ? copy : piece);
    if (!posted.outcome.ok()) {
      break;
    }
    posted.events = to;
  }
  return posted;
}

Result<> ChannelDeadLetter::put(const BatchPtr& piece) {
  const auto answer = std::make_shared<Word<Result<>>>();
  PutDone done = [answer](Result<> result) { answer->say(std::move(result)); };
  PutStatus status = channel_->put(piece, done);
  if (status == PutStatus::kFull) {
    wait_for_room(*channel_);
    status = channel_->put(piece, done);
  }
  switch (status) {
    case PutStatus::kFull:
      return transient(name_ + " is full");
    case PutStatus::kClosed:
      return transient(name_ + " is closed");
    case PutStatus::kAccepted:
      break;
  }
  std::optional<Result<>> result = answer->await(kAnswerPatience);
  return result ? std::move(*result) : transient(name_ + " does not answer");
}

}  // namespace millrace
