#include "sink/output_series.h"

#include <utility>

#include "base/log.h"

namespace millrace {

OutputSeries::OutputSeries(FileSystem& files, Clock& clock, Plan plan, FileCounts counts)
    : files_(files), clock_(clock), plan_(std::move(plan)), counts_(counts) {}

Result<> OutputSeries::open() {
  if (file_) {
    return {};
  }
  std::filesystem::path path = plan_.next_path();
  while (files_.exists(path)) {
    path = plan_.next_path();
  }
  Result<std::unique_ptr<OutputFile>> file =
      OutputFile::create(files_, std::move(path), plan_.make_serializer(), plan_.sync);
  if (!file.ok()) {
    counts_.failed.add();
    return std::move(file).error();
  }
  file_ = std::move(file).value();
  opened_at_ = clock_.steady();
  counts_.opened.add();
  return {};
}

Result<> OutputSeries::append(const EventBatch& batch) {
  TRY(open());
  Result<> appended = file_->append(batch);
  return appended.ok() ? appended : undo(std::move(appended));
}

Result<> OutputSeries::commit() {
  if (!file_) {
    return {};
  }
  Result<> committed = file_->commit();
  return committed.ok() ? committed : undo(std::move(committed));
}

void OutputSeries::roll_if_due() {
  if (file_ && !file_->has_name()) {
    log_warning(plan_.component, "{} was moved or removed; a new file is begun",
                file_->path().string());
    close();
  } else if (is_due()) {
    close();
  }
}

bool OutputSeries::is_due() const {
  if (!file_ || !file_->has_events()) {
    return false;
  }
  const bool is_old = plan_.roll_interval > std::chrono::seconds(0) &&
                      clock_.steady() - opened_at_ >= plan_.roll_interval;
  const bool is_large = plan_.roll_bytes > 0 && file_->committed_bytes() >= plan_.roll_bytes;
  return is_old || is_large;
}

void OutputSeries::close() {
  if (!file_) {
    return;
  }
  const Result<> finished = file_->finish();
  if (!finished.ok()) {
    log_warning(plan_.component, "{} has no proper end: {}", file_->path().string(),
                finished.error().message());
  }
  if (!file_->has_events() && !plan_.keep_empty) {
    (void)files_.remove(file_->path());
  }
  file_.reset();
  counts_.closed.add();
}

// The transaction comes again: nothing of it may stay in the file. Into one that may not grow any
// more it does not come; an empty one is kept, for the next would hold no more.
Result<> OutputSeries::undo(Result<> failure) {
  if (file_->roll_back()) {
    if (file_->is_full() && file_->has_events()) {
      log_info(plan_.component, "{} may not grow beyond {} bytes; the next file is begun",
               file_->path().string(), file_->committed_bytes());
      close();
    }
  } else {
    if (!file_->has_events()) {
      (void)files_.remove(file_->path());  // Else a dead disk would collect empty ones.
    } else {
      log_warning(plan_.component,
                  "{} is given up: it may end with events that come again in the next file",
                  file_->path().string());
    }
    file_.reset();
    counts_.closed.add();
  }
  return failure;
}

}  // namespace millrace
