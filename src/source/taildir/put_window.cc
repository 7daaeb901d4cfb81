#include "source/taildir/put_window.h"

#include <utility>

namespace millrace {

PutDone PutWindow::add(std::vector<TailMark> marks) {
  const auto put = std::make_shared<Put>();
  put->marks = std::move(marks);
  puts_.push_back(put);
  return [put](const Result<>& result) {
    put->answer = result.ok() ? Answer::kCommitted : Answer::kFailed;
  };
}

PutWindow::Collected PutWindow::collect(std::vector<TailedFilePtr>& rewound) {
  Collected collected;
  for (; !puts_.empty() && puts_.front()->answer == Answer::kCommitted; puts_.pop_front()) {
    for (const TailMark& mark : puts_.front()->marks) {
      mark.file->commit(mark.restarts, mark.end);
    }
    ++collected.committed;
  }
  collected.failed = !puts_.empty() && puts_.front()->answer == Answer::kFailed;
  if (collected.failed) {
    for (const std::shared_ptr<Put>& put : puts_) {
      for (const TailMark& mark : put->marks) {
        mark.file->rewind();
        rewound.push_back(mark.file);
      }
    }
    puts_.clear();
  }
  return collected;
}

}  // namespace millrace
