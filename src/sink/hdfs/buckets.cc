#include "sink/hdfs/buckets.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace millrace {
namespace {

using End = FinishedFiles::End;

constexpr std::uint32_t kMostReplicaRolls = 30;  // As Flume.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;

}  // namespace

Buckets::Buckets(Clock& clock, NewFiles& new_files, FinishedFiles& finished, Plan plan,
                 Counts counts)
    : clock_(clock),
      new_files_(new_files),
      finished_(finished),
      plan_(std::move(plan)),
      counts_(counts) {}

Bucket& Buckets::find(const std::string& folder, const std::string& prefix) {
  const auto found = found_.find({folder, prefix});
  if (found != found_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    return *found->second;
  }
  Bucket& made = recent_.emplace_front();
  made.folder = folder;
  made.prefix = prefix;
  found_.emplace(Key{made.folder, made.prefix}, recent_.begin());
  return made;
}

Result<> Buckets::open(Bucket& bucket) {
  if (bucket.file && !bucket.is_touched && lacks_replicas(bucket)) {
    end_or_give_up(bucket);
  }
  if (bucket.file && is_full(*bucket.file)) {
    TRY(end(bucket));
  }
  if (bucket.file) {
    return {};
  }
  TRY(make_room(bucket));
  Result<std::unique_ptr<BucketFile>> file =
      new_files_.create(bucket.folder, bucket.prefix, bucket.number);
  if (!file.ok()) {
    counts_.failed.add();
    return std::move(file).error();
  }
  bucket.file = std::move(file).value();
  ++open_;
  counts_.opened.add();
  bucket.wanted_replicas = plan_.least_replicas.value_or(bucket.file->live_replicas());
  touch(bucket);
  if (Result<> begun = bucket.file->begin(space_); !begun.ok()) {
    return begun;
  }
  if (plan_.roll_interval.count() > 0) {
    expect_due(bucket.file->opened_at() + plan_.roll_interval);
  }
  return {};
}

// The open file that is unused the longest is ended for another.
Result<> Buckets::make_room(const Bucket& bucket) {
  for (auto eldest = recent_.rbegin(); open_ >= plan_.most_open && eldest != recent_.rend();
       ++eldest) {
    if (&*eldest == &bucket || !eldest->file) {
      continue;
    }
    if (eldest->file->is_clean()) {
      end_or_give_up(*eldest);
    } else {
      TRY(end(*eldest));
    }
  }
  return {};
}

Result<> Buckets::append(Bucket& bucket, const EventBatch& batch) {
  for (std::size_t from = 0; from < batch.size();) {
    TRY(open(bucket));
    touch(bucket);
    const std::size_t to = from + fitting(*bucket.file, batch, from);
    const bool is_whole = from == 0 && to == batch.size();
    TRY(bucket.file->append(is_whole ? batch : *batch.slice(from, to), space_));
    from = to;
  }
  return {};
}

// How many events the file takes before it is full, and one write.
std::size_t Buckets::fitting(const BucketFile& file, const EventBatch& batch,
                             std::size_t from) const {
  const std::uint64_t most_events =
      plan_.roll_count > 0 ? plan_.roll_count - file.written().events : batch.size();
  const std::uint64_t most_bytes =
      plan_.roll_size > 0 ? plan_.roll_size - file.body_bytes() : batch.bytes() + 1;
  std::size_t events = 0;
  std::uint64_t bytes = 0;
  while (from + events < batch.size() && events < most_events && bytes < most_bytes &&
         bytes < kPieceBytes) {
    bytes += batch[from + events].body_size;
    ++events;
  }
  return events;
}

bool Buckets::is_full(const BucketFile& file) const {
  return (plan_.roll_count > 0 && file.written().events >= plan_.roll_count) ||
         (plan_.roll_size > 0 && file.body_bytes() >= plan_.roll_size);
}

bool Buckets::lacks_replicas(Bucket& bucket) const {
  if (bucket.file->live_replicas() >= bucket.wanted_replicas) {
    bucket.replica_rolls = 0;
    return false;
  }
  if (bucket.replica_rolls == kMostReplicaRolls) {
    return false;
  }
  ++bucket.replica_rolls;
  log_info(plan_.component, "{} has {} of {} replicas: it is ended", bucket.file->names().temporary,
           bucket.file->live_replicas(), bucket.wanted_replicas);
  return true;
}

void Buckets::touch(Bucket& bucket) {
  if (!bucket.is_touched) {
    bucket.is_touched = true;
    touched_.push_back(&bucket);
  }
}

Result<> Buckets::flush() {
  Result<> first;
  const auto keep = [&](Result<> outcome) {
    if (first.ok()) {
      first = std::move(outcome);
    }
  };
  for (Bucket* const bucket : touched_) {
    if (bucket->file && first.ok()) {
      if (is_full(*bucket->file)) {
        keep(bucket->file->end(space_));
      }
      keep(bucket->file->start_flush(new_files_.durability(), space_));
    }
  }
  TRY(first);
  for (Bucket* const bucket : touched_) {
    if (bucket->file) {
      keep(bucket->file->finish_flush());
    }
  }
  TRY(first);
  for (Bucket* const bucket : touched_) {
    if (bucket->file && is_full(*bucket->file)) {
      close(*bucket);
    }
  }
  return {};
}

void Buckets::commit() {
  const SteadyTime now = clock_.steady();
  for (Bucket* const bucket : touched_) {
    bucket->is_touched = false;
    bucket->last_flush = now;
    if (bucket->file) {
      bucket->file->commit();
      if (plan_.idle_timeout.count() > 0) {
        expect_due(now + plan_.idle_timeout);
      }
    }
  }
  touched_.clear();
  finished_.commit();
}

void Buckets::roll_back() {
  for (Bucket* const bucket : touched_) {
    bucket->is_touched = false;
    if (bucket->file && !bucket->file->is_clean()) {
      bucket->file->abandon();
      leave(*bucket, End::kGivenUp);
    }
  }
  touched_.clear();
  finished_.roll_back();
}

bool Buckets::is_due(const Bucket& bucket, SteadyTime now) const {
  const bool is_old =
      plan_.roll_interval.count() > 0 && now - bucket.file->opened_at() >= plan_.roll_interval;
  const bool is_idle =
      plan_.idle_timeout.count() > 0 && now - bucket.last_flush >= plan_.idle_timeout;
  return is_old || is_idle;
}

bool Buckets::is_due() const {
  const SteadyTime now = clock_.steady();
  return now >= next_due_ && std::any_of(recent_.begin(), recent_.end(), [&](const Bucket& bucket) {
           return bucket.file && is_due(bucket, now);
         });
}

void Buckets::end_due() {
  const SteadyTime now = clock_.steady();
  if (now < next_due_) {
    return;
  }
  next_due_ = SteadyTime::max();
  for (Bucket& bucket : recent_) {
    if (!bucket.file) {
      continue;
    }
    if (is_due(bucket, now)) {
      end_or_give_up(bucket);
      new_files_.end_row(bucket.number);
      has_unused_ = true;
      continue;
    }
    if (plan_.roll_interval.count() > 0) {
      expect_due(bucket.file->opened_at() + plan_.roll_interval);
    }
    if (plan_.idle_timeout.count() > 0) {
      expect_due(bucket.last_flush + plan_.idle_timeout);
    }
  }
}

void Buckets::end_all() {
  for (Bucket& bucket : recent_) {
    if (bucket.file) {
      end_or_give_up(bucket);
    }
  }
}

// Of the format, on disk, closed.
Result<> Buckets::end(Bucket& bucket) {
  BucketFile& file = *bucket.file;
  TRY(file.end(space_));
  TRY(file.start_flush(new_files_.durability(), space_));
  TRY(file.finish_flush());
  close(bucket);
  return {};
}

// For a file without anything uncommitted: it is as long as it was committed, at the worst.
void Buckets::end_or_give_up(Bucket& bucket) {
  if (const Result<> ended = end(bucket); !ended.ok()) {
    log_warning(plan_.component, "{} is given up: {}", bucket.file->names().temporary,
                ended.error().message());
    bucket.file->abandon();
    leave(bucket, End::kGivenUp);
  }
}

// What was flushed is there, whoever closes it.
void Buckets::close(Bucket& bucket) {
  leave(bucket, bucket.file->close() ? End::kClosed : End::kFlushed);
}

void Buckets::leave(Bucket& bucket, End end) {
  finished_.add(*bucket.file, end);
  bucket.file.reset();
  --open_;
  counts_.closed.add();
}

bool Buckets::drop_unused() {
  bool any = false;
  if (!has_unused_ && found_.size() <= plan_.most_open) {
    return any;
  }
  std::size_t too_many = found_.size() > plan_.most_open ? found_.size() - plan_.most_open : 0;
  for (auto bucket = recent_.end(); bucket != recent_.begin();) {
    --bucket;
    if (bucket->file || bucket->is_touched || (bucket->number > 0 && too_many == 0)) {
      continue;
    }
    too_many -= too_many > 0 ? 1 : 0;
    new_files_.end_row(bucket->number);
    found_.erase({bucket->folder, bucket->prefix});
    bucket = recent_.erase(bucket);
    any = true;
  }
  has_unused_ = false;
  return any;
}

void Buckets::clear() {
  for (Bucket& bucket : recent_) {
    new_files_.end_row(bucket.number);
  }
  touched_.clear();
  found_.clear();
  recent_.clear();
  open_ = 0;
}

void Buckets::append_to(FileIntent& intent) const {
  for (const Bucket& bucket : recent_) {
    if (bucket.file && bucket.file->committed().events > 0) {
      const FileExtent& extent = bucket.file->committed();
      intent.push_back({bucket.file->names().temporary, bucket.file->names().published,
                        extent.length, extent.crc, false});
    }
  }
}

}  // namespace millrace
