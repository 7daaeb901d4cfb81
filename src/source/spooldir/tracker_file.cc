#include "source/spooldir/tracker_file.h"

#include <charconv>
#include <chrono>
#include <random>

#include "base/bytes.h"
#include "io/atomic_file.h"

namespace millrace {
namespace {

constexpr std::string_view kMagic{"Obj\x01", 4};
constexpr std::size_t kSyncBytes = 16;
constexpr std::string_view kRecordName = "TransferStateFileMeta";
constexpr std::string_view kSchema = R"({"type":"record","name":"TransferStateFileMeta",)"
                                     R"("namespace":"org.apache.flume.serialization",)"
                                     R"("fields":[{"name":"offset","type":"long"}]})";
constexpr std::string_view kIdentityKey = "millrace.identity";

std::string random_sync() {
  std::random_device random;
  std::string sync;
  while (sync.size() < kSyncBytes) {
    append_little(sync, random());
  }
  return sync;
}

std::string head_of(const std::string& file, const SpooledIdentity& identity,
                    std::string_view sync) {
  std::string head(kMagic);
  append_avro_long(head, 3);
  append_avro_bytes(head, "avro.schema");
  append_avro_bytes(head, kSchema);
  append_avro_bytes(head, "file");
  append_avro_bytes(head, file);
  append_avro_bytes(head, kIdentityKey);
  append_avro_bytes(head,
                    std::to_string(identity.size) + " " + std::to_string(identity.modified_ns));
  append_avro_long(head, 0);
  head += sync;
  return head;
}

// The record stands in it twice.
std::string block_of(std::uint64_t offset, std::string_view sync) {
  std::string record;
  append_avro_long(record, static_cast<std::int64_t>(offset));
  std::string block;
  append_avro_long(block, 2);
  append_avro_long(block, static_cast<std::int64_t>(2 * record.size()));
  block += record + record;
  block += sync;
  return block;
}

Result<SpooledIdentity> parse_identity(std::string_view text) {
  SpooledIdentity identity;
  const char* const end = text.data() + text.size();
  const auto size = std::from_chars(text.data(), end, identity.size);
  if (size.ec != std::errc() || size.ptr == end || *size.ptr != ' ') {
    return corrupt("the file's size does not stand in the head");
  }
  const auto modified = std::from_chars(size.ptr + 1, end, identity.modified_ns);
  if (modified.ec != std::errc() || modified.ptr != end) {
    return corrupt("the file's time does not stand in the head");
  }
  return identity;
}

// Reads the head into `position`; the sync marker is returned.
Result<std::string_view> parse_head(ByteReader& reader, TrackedPosition& position) {
  if (TRY(reader.bytes(kMagic.size())) != kMagic) {
    return corrupt("this is not an Avro object container file");
  }
  bool is_tracker = false;
  for (std::int64_t left = TRY(reader.avro_long()); left != 0; left = TRY(reader.avro_long())) {
    if (left < 0) {
      TRY(reader.avro_long());
    }
    for (auto n = left < 0 ? ~static_cast<std::uint64_t>(left) + 1
                           : static_cast<std::uint64_t>(left);
         n > 0; --n) {
      const std::string_view key = TRY(reader.avro_bytes());
      const std::string_view value = TRY(reader.avro_bytes());
      if (key == "file") {
        position.path = value;
      } else if (key == kIdentityKey) {
        position.identity = TRY(parse_identity(value));
      } else if (key == "avro.schema") {
        is_tracker = value.find(kRecordName) != std::string_view::npos;
      } else if (key == "avro.codec" && value != "null") {
        return corrupt("its codec is none that Flume uses");
      }
    }
  }
  if (!is_tracker || position.path.empty()) {
    return corrupt("it names no file");
  }
  return reader.bytes(kSyncBytes);
}

// The last record of the block that begins here.
Result<std::uint64_t> parse_block(ByteReader& reader, std::string_view sync, bool twice) {
  const std::int64_t count = TRY(reader.avro_long());
  const std::string_view bytes = TRY(reader.avro_bytes());
  if (TRY(reader.bytes(kSyncBytes)) != sync) {
    return corrupt("no sync marker where a block should end");
  }
  ByteReader records(bytes);
  std::int64_t offset = 0;
  std::int64_t read = 0;
  for (; !records.empty(); ++read) {
    const std::int64_t next = TRY(records.avro_long());
    if (next < offset || (twice && read > 0 && next != offset)) {
      return corrupt("its positions contradict each other");
    }
    offset = next;
  }
  if (read == 0 || read != count || (twice && read != 2)) {
    return corrupt("a block does not hold what it says");
  }
  return static_cast<std::uint64_t>(offset);
}

}  // namespace

SpooledIdentity identity_of(const FileStatus& status) {
  return {status.size,
          std::chrono::duration_cast<std::chrono::nanoseconds>(status.modified.time_since_epoch())
              .count()};
}

Result<TrackedPosition> parse_tracker(std::string_view bytes) {
  TrackedPosition position;
  ByteReader reader(bytes);
  const std::string_view sync = TRY(parse_head(reader, position));
  while (!reader.empty()) {
    const std::size_t at = reader.position();
    const Result<std::uint64_t> offset = parse_block(reader, sync, position.identity.has_value());
    if (!offset.ok() || offset.value() < position.offset) {
      position.damage = "from byte " + std::to_string(at) +
                        " on: " + (offset.ok() ? "a position goes back" : offset.error().message());
      break;
    }
    position.offset = offset.value();
  }
  return position;
}

Result<std::optional<TrackedPosition>> TrackerFile::load() {
  if (!files_.exists(path_)) {
    return std::optional<TrackedPosition>();
  }
  const std::string bytes = TRY(read_file(files_, path_));
  if (bytes.empty()) {
    return std::optional<TrackedPosition>();
  }
  return std::optional<TrackedPosition>(TRY(parse_tracker(bytes)));
}

Result<> TrackerFile::store(const std::string& file, const SpooledIdentity& identity,
                            std::uint64_t offset) {
  if (file_ == nullptr || target_ != file || end_ > kLargest) {
    file_ = nullptr;
    sync_ = random_sync();
    const std::string bytes = head_of(file, identity, sync_) + block_of(offset, sync_);
    TRY(files_.create_directories(path_.parent_path()));
    TRY(replace_file(files_, path_, bytes));
    file_ = TRY(files_.open(path_, OpenMode::kReadWrite));
    target_ = file;
    end_ = bytes.size();
    return {};
  }
  const std::string block = block_of(offset, sync_);
  if (Result<> written = file_->write_at(block, end_); !written.ok()) {
    file_ = nullptr;  // What it ends with is not known: the next one begins anew.
    return written;
  }
  end_ += block.size();
  return {};
}

Result<> TrackerFile::forget() {
  file_ = nullptr;
  target_.clear();
  return files_.exists(path_) ? files_.remove(path_) : Result<>();
}

}  // namespace millrace
