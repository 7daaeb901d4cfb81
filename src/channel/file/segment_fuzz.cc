// Fuzzes the readers of the file channel's segments. An input is a segment, or, when it does not
// begin like one, records behind a byte that stands for the first one behind a segment's header.
// Bits of that byte: 1, the records' headers are given their right generation and checksum, so that
// what lies behind them is read too; 8, their entries and events too; 4, the segment is encrypted:
// then whole records are sealed first; 2, the file is shorter than its records say.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/check.h"
#include "base/checksum.h"
#include "channel/file/log_findings.h"
#include "channel/file/sealer.h"
#include "channel/file/segment_reader.h"
#include "io/fake_file_system.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint64_t kGeneration = 0x1122334455667788;

std::string_view part(std::string_view bytes, std::uint64_t from, std::uint64_t size) {
  return from <= bytes.size() ? bytes.substr(from, size) : std::string_view();
}

// Gives the events of a put, or the ranges, behind `header` the checksums that their bytes have.
void repair_entries(char* record, RecordHeader& header, std::uint64_t room) {
  const std::uint64_t end = std::clamp<std::uint64_t>(header.length, sizeof header, room);
  const std::string_view rest(record + sizeof header, end - sizeof header);
  const bool is_put = header.magic == kPutMagic;
  const std::uint64_t index_bytes = std::uint64_t{header.entries} * sizeof(IndexEntry);
  const std::string_view blocks = part(rest, index_bytes, header.headers_bytes);
  const std::string_view bodies = part(rest, index_bytes + header.headers_bytes, rest.size());
  for (std::uint64_t at = 0; is_put && at < index_bytes && at + sizeof(IndexEntry) <= rest.size();
       at += sizeof(IndexEntry)) {
    IndexEntry entry;
    std::memcpy(&entry, rest.data() + at, sizeof entry);
    const std::string_view block = part(blocks, entry.headers_offset, entry.headers_bytes);
    entry.crc = event_crc(headers_crc(block), part(bodies, entry.body_offset, entry.body_bytes));
    std::memcpy(record + sizeof header + at, &entry, sizeof entry);
  }
  header.index_crc = crc32c(is_put ? part(rest, 0, index_bytes) : rest);
  std::memcpy(record, &header, sizeof header);
}

void repair(std::string& records, unsigned how, std::uint64_t generation) {
  for (std::size_t at = 0; at + sizeof(RecordHeader) <= records.size(); at += kRecordAlignment) {
    RecordHeader header;
    std::memcpy(&header, records.data() + at, sizeof header);
    if (header.magic != kPutMagic && header.magic != kAckMagic) {
      continue;
    }
    if ((how & 8) != 0) {
      repair_entries(records.data() + at, header, records.size() - at);
    }
    if ((how & 1) != 0) {
      seal_record_header(records.data() + at, generation);
    }
  }
}

// As the tools read it.
void check(const RecordHeader& header, std::string_view bytes) {
  const CheckedPut put = check_put(header, bytes);
  CHECK(put.events.size() <= header.entries);
  const PutNumbers numbers = numbers_of(put);
  CHECK(numbers.whole.count() + numbers.damaged.count() == header.entries);
  CHECK(!numbers.whole.intersects(numbers.damaged));
}

const SegmentKey& key() {
  SealHeader header;
  header.cipher = 1;
  static const SegmentKey made(SecretBytes(16), header);
  return made;
}

void seal_records(std::string& records, Generation generation) {
  Sealer sealer;
  for (std::size_t at = 0; at < records.size(); at += kRecordAlignment) {
    const auto header = decode_record_header(std::string_view(records).substr(at), generation);
    if (header && round_up(header->length, kRecordAlignment) <= records.size() - at) {
      const iovec plain{records.data() + at, round_up(header->length, kRecordAlignment)};
      sealer.enter(key());
      const iovec sealed = sealer.seal({&plain, 1}, 0, kFirstRecord + at);
      std::memcpy(plain.iov_base, sealed.iov_base, sealed.iov_len);
      at += plain.iov_len - kRecordAlignment;
    }
  }
}

void scan(const File& file, Generation generation, std::uint64_t end) {
  SegmentScanner scanner(file, generation, kFirstRecord, end);
  std::uint64_t last = 0;
  for (;;) {
    const auto record = scanner.next();
    CHECK(record.ok());
    if (!record.value()) {
      break;
    }
    CHECK(record.value()->offset > last);
    last = record.value()->offset;
    if (record.value()->header.magic == kAckMagic) {
      const bool is_whole = scanner.acknowledged(*record.value()).ok();
      CHECK(is_whole || last > 0);
    } else {
      const auto bytes = scanner.bytes_of(*record.value());
      CHECK(bytes.ok());
      check(record.value()->header, bytes.value());
    }
  }
}

void load(const File& file, Generation generation, std::uint64_t end, SlabPool& slabs) {
  EventNumber least = 0;
  for (std::uint64_t at = kFirstRecord; at < end;) {
    auto loaded = load_events(file, generation, at, end, least, 4096, slabs);
    CHECK(loaded.ok());
    CHECK(loaded->next > at);
    CHECK(loaded->next_number >= least);
    for (const LoadedRun& run : loaded->runs) {
      CHECK(run.first >= least);
      for (const EventRef& event : *run.batch) {
        CHECK(check_header_block(event.header_block()).ok());
      }
    }
    at = loaded->next;
    least = loaded->next_number;
  }
}

}  // namespace
}  // namespace millrace::file_channel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  using namespace millrace::file_channel;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const SegmentHeader blank;
  const bool is_segment =
      size >= kFirstRecord && input.starts_with({blank.magic.data(), blank.magic.size()});
  std::string records(input.substr(is_segment ? kFirstRecord : std::min<std::size_t>(size, 1)));
  const unsigned how = size == 0 ? 0 : data[is_segment ? sizeof(SegmentHeader) : 0];
  std::uint64_t random = kGeneration;
  if (is_segment) {
    std::memcpy(&random, data + offsetof(SegmentHeader, generation), sizeof random);
    const auto header = decode_segment_header(input.substr(0, kBlock));
    CHECK(!header.ok() || !header.value() || header.value()->generation == random);
  }
  const Generation generation(random, (how & 4) != 0 ? &key() : nullptr);
  repair(records, how, random);
  if (generation.key != nullptr) {
    seal_records(records, generation);
  }
  ByteBudget budget(std::size_t{64} << 20);
  SlabPool slabs(budget);
  FakeFileSystem files;
  files.put("/d/f", std::string(kFirstRecord, '\0') + records);
  const auto file = files.open("/d/f", OpenMode::kRead);
  CHECK(file.ok());
  const std::uint64_t end = kFirstRecord + round_up(records.size() + (how & 2) * kBlock, kBlock);
  const std::optional<SealHeader> seal = decode_seal_header(records);
  CHECK(!seal || seal->name().size() < seal->key_name.size());
  scan(**file, generation, end);
  load(**file, generation, end, slabs);
  return 0;
}
