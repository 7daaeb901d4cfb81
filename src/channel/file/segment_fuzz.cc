// Fuzzes the readers of the file channel's segments. The first byte says whether record headers
// that the input holds are given their right generation and checksum, so that what lies behind them
// is read too; and whether the segment is encrypted: then whole records are sealed first.
#include <cstdint>
#include <cstring>

#include "base/check.h"
#include "channel/file/log_findings.h"
#include "channel/file/sealer.h"
#include "channel/file/segment_reader.h"
#include "io/fake_file_system.h"

namespace millrace::file_channel {
namespace {

constexpr std::uint64_t kGeneration = 0x1122334455667788;

void repair_headers(std::string& records) {
  for (std::size_t at = 0; at + sizeof(RecordHeader) <= records.size(); at += kRecordAlignment) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, records.data() + at, sizeof magic);
    if (magic == kPutMagic || magic == kAckMagic) {
      seal_record_header(records.data() + at, kGeneration);
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

void seal_records(std::string& records) {
  Sealer sealer;
  for (std::size_t at = 0; at < records.size(); at += kRecordAlignment) {
    const auto header =
        decode_record_header(std::string_view(records).substr(at), {kGeneration, &key()});
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
  if (size == 0) {
    return 0;
  }
  std::string records(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) {
    repair_headers(records);
  }
  const Generation generation(kGeneration, (data[0] & 4) != 0 ? &key() : nullptr);
  if (generation.key != nullptr) {
    seal_records(records);
  }
  ByteBudget budget(std::size_t{64} << 20);
  SlabPool slabs(budget);
  FakeFileSystem files;
  files.put("/d/f", std::string(kFirstRecord, '\0') + records);
  const auto file = files.open("/d/f", OpenMode::kRead);
  CHECK(file.ok());
  const std::uint64_t end =
      kFirstRecord + round_up(records.size() + (data[0] & 2) * kBlock, kBlock);
  const std::optional<SealHeader> seal = decode_seal_header(records);
  CHECK(!seal || seal->name().size() < seal->key_name.size());
  scan(**file, generation, end);
  load(**file, generation, end, slabs);
  return 0;
}
