// TaildirSource: what is put, and what the channels answer.
#include <algorithm>

#include "source/taildir/taildir_source.h"

namespace millrace {
namespace {

constexpr std::chrono::milliseconds kAnswersWait{100};  // For the channels, between two looks.

SteadyTime now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

// Then waits until the channels take more; false when no more is to be read: the agent stops, or a
// put has failed and its files went back.
bool TaildirSource::put_batch(const std::stop_token& stop) {
  if (builder_.empty()) {
    return !stop.stop_requested();
  }
  save_new_files();
  batches_received_.add();
  context_.channels.put(builder_, window_.add(reader_.take_marks()));
  bool failed = take_answers();
  while (!failed && !context_.channels.ready() && !stop.stop_requested()) {
    const auto may_go_on = [this] { return context_.channels.ready(); };
    tasks_.run_until(may_go_on, std::min(save_at_, now() + kAnswersWait), stop);
    failed = take_answers();
    save_if_due(now());
  }
  return !failed && !stop.stop_requested();
}

// True when a put has failed: what is not with the channels is read again, after a while.
bool TaildirSource::take_answers() {
  std::vector<TailedFilePtr> rewound;
  const PutWindow::Collected collected = window_.collect(rewound);
  batches_accepted_.add(collected.committed);
  if (collected.committed > 0) {
    has_moved_ = true;
    backoff_ = {};
  }
  if (!collected.failed) {
    return false;
  }
  for (const TailMark& mark : reader_.take_marks()) {
    mark.file->rewind();
    rewound.push_back(mark.file);
  }
  builder_.clear();
  for (const TailedFilePtr& file : rewound) {
    files_->queue(file);
  }
  backoff_ = std::min(backoff_ + config_.backoff_sleep_increment, config_.max_backoff_sleep);
  resume_at_ = now() + backoff_;
  return true;
}

}  // namespace millrace
