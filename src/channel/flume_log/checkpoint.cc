#include "channel/flume_log/checkpoint.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <algorithm>

#include "base/bytes.h"
#include "channel/flume_log/file_window.h"
#include "channel/flume_log/metadata.h"

namespace millrace::flume_log {
namespace {

// The file is numbers of 8 bytes, big-endian: these few, some that are not needed here, then the
// queue's ring.
constexpr std::uint64_t kNumber = 8;
constexpr std::uint64_t kVersionAt = 0;
constexpr std::uint64_t kOrderAt = 1;
constexpr std::uint64_t kSizeAt = 2;  // These two in version 2 only.
constexpr std::uint64_t kHeadAt = 3;
constexpr std::uint64_t kMarkerAt = 4;  // 0 once it is complete.
constexpr std::uint64_t kRingAt = 1029;
constexpr std::size_t kDigestBytes = 16;

// One of its files could be read, and says something that no checkpoint says.
Error unusable(std::string_view file, std::string_view why) {
  return corrupt(fmt::format("{}: {}", file, why));
}

Result<std::uint64_t> number_at(FileWindow& file, std::uint64_t index) {
  ByteReader reader(TRY(file.view(index * kNumber, kNumber)));
  return reader.big<std::uint64_t>();
}

Result<CheckpointMeta> meta_of_version_2(FileWindow& file) {
  CheckpointMeta meta{.version = 2};
  meta.order = static_cast<std::int64_t>(TRY(number_at(file, kOrderAt)));
  meta.size = static_cast<std::uint32_t>(TRY(number_at(file, kSizeAt)));
  meta.head = static_cast<std::uint32_t>(TRY(number_at(file, kHeadAt)));
  return meta;
}

Result<CheckpointMeta> read_meta(FileSystem& files, const std::filesystem::path& dir,
                                 FileWindow& checkpoint) {
  const std::uint64_t version = TRY(number_at(checkpoint, kVersionAt));
  const std::filesystem::path path = dir / "checkpoint.meta";
  if (!files.exists(path)) {
    if (version == 2) {
      return meta_of_version_2(checkpoint);
    }
    return unusable("checkpoint.meta", "it is not there");
  }
  Result<CheckpointMeta> meta = decode_checkpoint_meta(TRY(read_file(files, path)));
  if (!meta.ok()) {
    return std::move(meta).with("checkpoint.meta");
  }
  if (meta->version != kVersion || version != kVersion) {
    return unusable("checkpoint", fmt::format("it is of version {}", version));
  }
  if (TRY(number_at(checkpoint, kOrderAt)) != static_cast<std::uint64_t>(meta->order)) {
    return unusable("checkpoint.meta", "it belongs to another checkpoint");
  }
  return meta;
}

Result<std::vector<Pointer>> read_queue(FileWindow& file, const CheckpointMeta& meta) {
  const std::uint64_t numbers = file.size() / kNumber;
  if (file.size() % kNumber != 0 || numbers <= kRingAt) {
    return unusable("checkpoint", "it is cut off");
  }
  const std::uint64_t capacity = numbers - kRingAt;
  if (meta.size > capacity || meta.head >= capacity) {
    return unusable("checkpoint", "its queue is larger than its file");
  }
  std::vector<Pointer> queue;
  queue.reserve(meta.size);
  for (std::uint64_t i = 0; i < meta.size; ++i) {
    const std::uint64_t packed = TRY(number_at(file, kRingAt + (meta.head + i) % capacity));
    if (packed == 0) {
      return unusable("checkpoint", "its queue has a gap");
    }
    queue.push_back(pointer_of(packed));
  }
  return queue;
}

Result<Inflight> read_inflight(FileSystem& files, const std::filesystem::path& dir,
                               const char* name) {
  if (!files.exists(dir / name)) {
    return Inflight();
  }
  return decode_inflight(TRY(read_file(files, dir / name))).with(name);
}

Result<FlumeCheckpoint> read_all(FileSystem& files, const std::filesystem::path& dir) {
  FileWindow file = TRY(FileWindow::open(files, dir / "checkpoint"));
  if (file.size() < kRingAt * kNumber) {
    return unusable("checkpoint", "it is cut off");
  }
  const CheckpointMeta meta = TRY(read_meta(files, dir, file));
  if (TRY(number_at(file, kMarkerAt)) != 0) {
    return unusable("checkpoint", "it was being written when Flume ended");
  }
  FlumeCheckpoint checkpoint;
  checkpoint.order = meta.order;
  checkpoint.queue = TRY(read_queue(file, meta));
  checkpoint.puts = TRY(read_inflight(files, dir, "inflightputs"));
  checkpoint.takes = TRY(read_inflight(files, dir, "inflighttakes"));
  return checkpoint;
}

}  // namespace

Result<Inflight> decode_inflight(std::string_view bytes) {
  Inflight inflight;
  if (bytes.empty()) {
    return inflight;
  }
  ByteReader reader(bytes);
  const std::string_view digest = TRY(reader.bytes(kDigestBytes));
  unsigned char computed[EVP_MAX_MD_SIZE];
  std::size_t length = 0;
  if (::EVP_Q_digest(nullptr, "MD5", nullptr, reader.rest().data(), reader.remaining(), computed,
                     &length) != 1 ||
      digest != std::string_view(reinterpret_cast<const char*>(computed), length)) {
    return corrupt("it fails its checksum");
  }
  while (!reader.empty()) {
    const auto transaction = TRY(reader.big<std::int64_t>());
    const auto count = TRY(reader.big<std::uint64_t>());
    if (count > reader.remaining() / kNumber) {
      return corrupt("it is cut off");
    }
    if (count == 0) {
      continue;  // As at the end of every such file.
    }
    std::vector<Pointer>& pointers = inflight[transaction];
    for (std::uint64_t i = 0; i < count; ++i) {
      pointers.push_back(pointer_of(TRY(reader.big<std::uint64_t>())));
    }
    // Flume keeps them as a set. A transaction writes to one data dir, whose logs have ascending
    // numbers.
    std::sort(pointers.begin(), pointers.end());
  }
  return inflight;
}

Result<CheckpointReading> read_flume_checkpoint(FileSystem& files,
                                                const std::filesystem::path& dir) {
  if (!files.exists(dir / "checkpoint")) {
    return CheckpointReading{std::nullopt, "there is none"};
  }
  Result<FlumeCheckpoint> checkpoint = read_all(files, dir);
  if (checkpoint.ok()) {
    return CheckpointReading{std::move(checkpoint).value(), {}};
  }
  if (checkpoint.error().fault() != Fault::kCorrupt) {
    return std::move(checkpoint).error();
  }
  return CheckpointReading{std::nullopt, checkpoint.error().message()};
}

}  // namespace millrace::flume_log
