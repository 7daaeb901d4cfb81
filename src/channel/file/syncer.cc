#include "channel/file/syncer.h"

#include <pthread.h>

#include <utility>

namespace millrace::file_channel {

Syncer::Syncer(std::function<void()> finished) : finished_(std::move(finished)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  pthread_setname_np(thread_.native_handle(), "log sync");
}

Syncer::~Syncer() {
  thread_.request_stop();
  thread_.join();
}

void Syncer::request(std::shared_ptr<File> file, std::uint64_t end) {
  const std::lock_guard lock(mutex_);
  if (outcome_ && !outcome_->result.ok()) {
    return;  // It holds for this one too: another sync of the same pages would tell nothing.
  }
  file_ = std::move(file);
  wanted_ = end;
  if (!syncing_) {
    requested_.notify_one();
  }
}

std::optional<Syncer::Outcome> Syncer::take_outcome() {
  const std::lock_guard lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

bool Syncer::busy() const {
  const std::lock_guard lock(mutex_);
  return syncing_ || wanted_ != 0;
}

void Syncer::run(const std::stop_token& stop) {
  constexpr auto kLongWait = std::chrono::seconds(60);
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (wanted_ == 0) {
      requested_.wait_until(lock, stop, std::chrono::steady_clock::now() + kLongWait,
                            [this] { return wanted_ != 0; });
      continue;
    }
    const std::shared_ptr<File> file = std::move(file_);
    const std::uint64_t end = std::exchange(wanted_, 0);
    syncing_ = true;
    lock.unlock();
    Result<> synced = file->sync_data();
    lock.lock();
    syncing_ = false;
    if (!synced.ok()) {
      wanted_ = 0;
    }
    outcome_ = Outcome{end, std::move(synced)};
    lock.unlock();
    finished_();
    lock.lock();
  }
}

}  // namespace millrace::file_channel
