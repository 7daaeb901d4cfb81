// For tests: writes log files and checkpoints in Flume's formats, into files in memory.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/checksum.h"
#include "channel/flume_log/checkpoint.h"
#include "channel/flume_log/record.h"
#include "io/fake_file_system.h"

namespace millrace::flume_log::kit {

using Headers = std::vector<std::pair<std::string, std::string>>;

inline std::string delimited(std::string_view message) {
  std::string out;
  std::size_t left = message.size();
  for (; left > 127; left >>= 7) {
    out.push_back(static_cast<char>(left | 0x80));
  }
  out.push_back(static_cast<char>(left));
  return out.append(message);
}
inline std::string fixed32(int field, std::uint32_t value) {
  std::string out(1, static_cast<char>(field << 3 | 5));
  append_little(out, value);
  return out;
}
inline std::string fixed64(int field, std::int64_t value) {
  std::string out(1, static_cast<char>(field << 3 | 1));
  append_little(out, value);
  return out;
}
inline std::string bytes_field(int field, std::string_view bytes) {
  return std::string(1, static_cast<char>(field << 3 | 2)) + delimited(bytes);
}

inline std::string put_body(std::string_view body, const Headers& headers = {}) {
  std::string event;
  for (const auto& [key, value] : headers) {
    event += bytes_field(1, bytes_field(1, key) + bytes_field(2, value));
  }
  event += bytes_field(2, body);
  return bytes_field(1, event) + fixed64(2, crc32(body));
}

// The records of one log file. Write orders are drawn from a counter that logs share.
class LogBuilder {
 public:
  LogBuilder(std::uint32_t number, std::int64_t& order) : number_(number), order_(order) {}

  Pointer put(std::int64_t transaction, std::string_view body, const Headers& headers = {}) {
    return add(RecordType::kPut, transaction, put_body(body, headers));
  }
  Pointer take(std::int64_t transaction, Pointer put) {
    return add(RecordType::kTake, transaction, fixed32(1, put.file) + fixed32(2, put.offset));
  }
  Pointer roll_back(std::int64_t transaction) {
    return add(RecordType::kRollback, transaction, {});
  }
  Pointer commit(std::int64_t transaction, RecordType what) {
    return add(RecordType::kCommit, transaction, fixed32(1, static_cast<std::uint32_t>(what)));
  }
  // Puts in one transaction that commits.
  std::vector<Pointer> put_all(std::int64_t transaction, const std::vector<std::string>& bodies) {
    std::vector<Pointer> pointers;
    for (const std::string& body : bodies) {
      pointers.push_back(put(transaction, body));
    }
    commit(transaction, RecordType::kPut);
    return pointers;
  }
  void take_all(std::int64_t transaction, const std::vector<Pointer>& puts) {
    for (const Pointer& pointer : puts) {
      take(transaction, pointer);
    }
    commit(transaction, RecordType::kTake);
  }

  std::string& bytes() { return bytes_; }
  // With the fill that Flume writes ahead, or less of it.
  std::string file(std::size_t fill = 100) const { return bytes_ + std::string(fill, kFill); }
  std::string meta(std::int64_t position = 0, std::int64_t order = 0,
                   std::string_view more = {}) const {
    return delimited(fixed32(1, 3) + fixed32(2, number_) + fixed64(3, position) +
                     fixed64(4, order) + std::string(more));
  }

 private:
  Pointer add(RecordType type, std::int64_t transaction, std::string_view body) {
    const Pointer at{number_, static_cast<std::uint32_t>(bytes_.size())};
    const std::string payload = delimited(fixed32(1, static_cast<std::uint32_t>(type)) +
                                          fixed64(2, transaction) + fixed64(3, ++order_)) +
                                delimited(body) + delimited({});
    bytes_.push_back(kRecordMark);
    append_big(bytes_, static_cast<std::uint32_t>(payload.size()));
    bytes_ += payload;
    return at;
  }

  const std::uint32_t number_;
  std::int64_t& order_;
  std::string bytes_;
};

inline std::uint64_t packed(Pointer pointer) {
  return static_cast<std::uint64_t>(pointer.file) << 32 | pointer.offset;
}

inline std::string inflight_file(const Inflight& inflight) {
  std::string numbers;
  for (const auto& [transaction, pointers] : inflight) {
    append_big(numbers, transaction);
    append_big(numbers, static_cast<std::uint64_t>(pointers.size()));
    for (const Pointer& pointer : pointers) {
      append_big(numbers, packed(pointer));
    }
  }
  numbers.append(16, '\0');
  unsigned char digest[EVP_MAX_MD_SIZE];
  std::size_t length = 0;
  ::EVP_Q_digest(nullptr, "MD5", nullptr, numbers.data(), numbers.size(), digest, &length);
  return std::string(reinterpret_cast<const char*>(digest), length) + numbers;
}

// `version` 2 has the queue's place in the file itself, 3 in checkpoint.meta.
inline std::string checkpoint_file(const FlumeCheckpoint& checkpoint, std::uint32_t head,
                                   std::uint32_t capacity, std::int64_t version = 3,
                                   std::int64_t marker = 0) {
  std::vector<std::uint64_t> numbers(1029 + capacity);
  numbers[0] = static_cast<std::uint64_t>(version);
  numbers[1] = static_cast<std::uint64_t>(checkpoint.order);
  if (version == 2) {
    numbers[2] = checkpoint.queue.size();
    numbers[3] = head;
  }
  numbers[4] = static_cast<std::uint64_t>(marker);
  for (std::size_t i = 0; i < checkpoint.queue.size(); ++i) {
    numbers[1029 + (head + i) % capacity] = packed(checkpoint.queue[i]);
  }
  std::string bytes;
  for (const std::uint64_t number : numbers) {
    append_big(bytes, number);
  }
  return bytes;
}

inline std::string checkpoint_meta(const FlumeCheckpoint& checkpoint, std::uint32_t head) {
  return delimited(fixed32(1, 3) + fixed64(2, checkpoint.order) +
                   fixed32(3, static_cast<std::uint32_t>(checkpoint.queue.size())) +
                   fixed32(4, head));
}

inline void put_checkpoint(FakeFileSystem& files, const std::string& dir,
                           const FlumeCheckpoint& checkpoint, std::uint32_t head = 0,
                           std::uint32_t capacity = 100) {
  files.put(dir + "/checkpoint", checkpoint_file(checkpoint, head, capacity));
  files.put(dir + "/checkpoint.meta", checkpoint_meta(checkpoint, head));
  files.put(dir + "/inflightputs", inflight_file(checkpoint.puts));
  files.put(dir + "/inflighttakes", inflight_file(checkpoint.takes));
}

}  // namespace millrace::flume_log::kit
