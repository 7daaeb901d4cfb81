#include "sink/hdfs/finished_files.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace millrace {

FinishedFiles::FinishedFiles(dfs::FileSystem& files, FilePublisher& publisher, FileLedger& ledger,
                             Clock& clock, Plan plan)
    : dfs_(files), publisher_(publisher), ledger_(ledger), clock_(clock), plan_(std::move(plan)) {}

void FinishedFiles::add(const BucketFile& file, End end) {
  files_.push_back({file.names(),
                    end == End::kGivenUp ? file.committed() : file.written(),
                    file.committed(),
                    end == End::kClosed,
                    0,
                    {}});
}

void FinishedFiles::commit() {
  for (File& file : files_) {
    file.committed = file.written;
  }
}

void FinishedFiles::roll_back() {
  for (File& file : files_) {
    file.is_closed = file.is_closed && file.written.length == file.committed.length;
    file.written = file.committed;
  }
}

IntendedFile FinishedFiles::intended(const File& file) {
  return {file.names.temporary, file.names.published, file.committed.length, file.committed.crc,
          true};
}

void FinishedFiles::append_to(FileIntent& intent) const {
  for (const File& file : files_) {
    if (file.committed.events > 0) {
      intent.push_back(intended(file));
    }
  }
}

Result<> FinishedFiles::publish_all() {
  while (!files_.empty()) {
    TRY(publish(files_.back()));
    files_.pop_back();
  }
  return {};
}

void FinishedFiles::publish_due(bool at_last) {
  if (files_.empty()) {
    return;
  }
  const SteadyTime now = clock_.steady();
  std::vector<File> left;
  for (File& file : files_) {
    if (file.next_try > now && !at_last) {
      left.push_back(std::move(file));
      continue;
    }
    const Result<> published = publish(file);
    if (!published.ok() && !give_up(file, published.error())) {
      left.push_back(std::move(file));
    }
  }
  files_ = std::move(left);
}

// One that is closed needs its name alone; for all else the publisher looks at what is there.
Result<> FinishedFiles::publish(File& file) {
  const bool is_first = file.tries++ == 0;
  if (file.committed.events == 0) {
    TRY(publisher_.discard(file.names.temporary));
  } else if (file.is_closed && is_first) {
    if (file.names.temporary != file.names.published) {
      TRY(dfs_.rename(file.names.temporary, file.names.published));
    }
  } else {
    TRY(publisher_.publish(intended(file)));
  }
  ledger_.forget(ledger_entry(file.names));
  return {};
}

// Tells a failure when it is the first; whether there is no other try.
bool FinishedFiles::give_up(File& file, const Error& error) {
  constexpr std::uint32_t kMostDoublings = 8;
  const bool is_last = plan_.most_tries > 0 && file.tries >= plan_.most_tries;
  if (is_last || file.tries == 1) {
    log_warning(plan_.component, "{} does not have its name yet: {}; {}", file.names.temporary,
                error.message(),
                is_last ? "it is tried again at the next start" : "it is tried again");
  }
  const std::chrono::seconds pause(1 << std::min(file.tries - 1, kMostDoublings));
  file.next_try =
      clock_.steady() + std::min(pause, std::max(plan_.longest_pause, std::chrono::seconds(1)));
  return is_last;
}

}  // namespace millrace
