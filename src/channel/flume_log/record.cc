#include "channel/flume_log/record.h"

#include <optional>

#include "base/checksum.h"
#include "channel/flume_log/protobuf.h"

namespace millrace::flume_log {
namespace {

std::int64_t as_signed(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

Result<RecordHeader> decode_header_message(std::string_view message) {
  std::optional<std::uint64_t> type;
  std::optional<std::uint64_t> transaction;
  std::optional<std::uint64_t> order;
  TRY(for_each_field(message, [&](const ProtobufField& field) {
    if (field.is(1, Wire::kFixed32)) {
      type = field.value;
    } else if (field.is(2, Wire::kFixed64)) {
      transaction = field.value;
    } else if (field.is(3, Wire::kFixed64)) {
      order = field.value;
    }
  }));
  if (!type || !transaction || !order) {
    return corrupt("the record's header lacks a field");
  }
  if (*type < 1 || *type > 4) {
    return corrupt("a record of an unknown type");
  }
  return RecordHeader{static_cast<RecordType>(*type), as_signed(*transaction), as_signed(*order)};
}

Result<Header> decode_event_header(std::string_view message) {
  std::optional<std::string_view> key;
  std::string_view value;  // May be left out: Flume reads that as empty.
  TRY(for_each_field(message, [&](const ProtobufField& field) {
    if (field.is(1, Wire::kBytes)) {
      key = field.bytes;
    } else if (field.is(2, Wire::kBytes)) {
      value = field.bytes;
    }
  }));
  if (!key) {
    return corrupt("a header of the event has no name");
  }
  return Header{*key, value};
}

Result<> decode_event(std::string_view message, StoredEvent& event) {
  event.headers.clear();
  std::optional<std::string_view> body;
  ByteReader reader(message);
  while (!reader.empty()) {
    const ProtobufField field = TRY(read_field(reader));
    if (field.is(1, Wire::kBytes)) {
      event.headers.push_back(TRY(decode_event_header(field.bytes)));
    } else if (field.is(2, Wire::kBytes)) {
      body = field.bytes;
    }
  }
  if (!body) {
    return corrupt("the event has no body");
  }
  event.body = *body;
  return {};
}

}  // namespace

Result<RecordHeader> decode_header(std::string_view payload) {
  ByteReader reader(payload);
  const std::string_view message = TRY(read_delimited(reader));
  return decode_header_message(message);
}

Result<std::uint64_t> payload_length(std::string_view head) {
  ByteReader reader(head);
  TRY(read_delimited(reader));
  const std::uint64_t body = TRY(read_varint(reader));
  constexpr std::uint64_t kFooterBytes = 1;  // An empty message: its length alone.
  if (body > UINT32_MAX) {
    return corrupt("a record longer than a log file can be");
  }
  return reader.position() + body + kFooterBytes;
}

Result<Record> decode_record(std::string_view payload) {
  ByteReader reader(payload);
  Record record;
  const std::string_view header = TRY(read_delimited(reader));
  record.header = TRY(decode_header_message(header));
  record.body = TRY(read_delimited(reader));
  if (!TRY(read_delimited(reader)).empty() || !reader.empty()) {
    return corrupt("the record does not end where it should");
  }
  return record;
}

Result<Pointer> decode_take(std::string_view body) {
  std::optional<std::uint64_t> file;
  std::optional<std::uint64_t> offset;
  TRY(for_each_field(body, [&](const ProtobufField& field) {
    if (field.is(1, Wire::kFixed32)) {
      file = field.value;
    } else if (field.is(2, Wire::kFixed32)) {
      offset = field.value;
    }
  }));
  if (!file || !offset) {
    return corrupt("the record of a take lacks a field");
  }
  return Pointer{static_cast<std::uint32_t>(*file), static_cast<std::uint32_t>(*offset)};
}

Result<RecordType> decode_commit(std::string_view body) {
  std::uint64_t type = 0;
  TRY(for_each_field(body, [&](const ProtobufField& field) {
    if (field.is(1, Wire::kFixed32)) {
      type = field.value;
    }
  }));
  if (type < 1 || type > 2) {
    return corrupt("a commit of neither puts nor takes");
  }
  return static_cast<RecordType>(type);
}

Result<> decode_put(std::string_view body, StoredEvent& event) {
  std::optional<std::string_view> message;
  std::optional<std::uint64_t> checksum;
  TRY(for_each_field(body, [&](const ProtobufField& field) {
    if (field.is(1, Wire::kBytes)) {
      message = field.bytes;
    } else if (field.is(2, Wire::kFixed64)) {
      checksum = field.value;
    }
  }));
  if (!message) {
    return corrupt("the record of a put has no event");
  }
  TRY(decode_event(*message, event));
  if (checksum && *checksum != crc32(event.body)) {
    return corrupt("the body fails its checksum");
  }
  return {};
}

}  // namespace millrace::flume_log
