#include "channel/flume_log/metadata.h"

#include "channel/flume_log/protobuf.h"

namespace millrace::flume_log {
namespace {

// The one message that such a file consists of.
Result<std::string_view> message_of(std::string_view file) {
  ByteReader reader(file);
  return read_delimited(reader);
}

void set(std::int64_t& to, std::uint64_t value) {
  to = static_cast<std::int64_t>(value);
}

// Fields 1 to `count` are to be there.
bool has_first(unsigned seen, unsigned count) {
  const unsigned wanted = ((1U << count) - 1) << 1;
  return (seen & wanted) == wanted;
}

void note(unsigned& seen, const ProtobufField& field) {
  if (field.number < 32) {
    seen |= 1U << field.number;
  }
}

Result<std::string> key_alias_of(std::string_view message) {
  std::string alias;
  TRY(for_each_field(message, [&](const ProtobufField& field) {
    if (field.is(2, Wire::kBytes)) {
      alias = std::string(field.bytes);
    }
  }));
  return alias;
}

}  // namespace

std::uint64_t LogMeta::replay_from(std::int64_t checkpoint_order) const {
  if (position > 0 && order <= checkpoint_order) {
    return static_cast<std::uint64_t>(position);
  }
  if (position > 0 && backup_position > 0 && backup_order <= checkpoint_order) {
    return static_cast<std::uint64_t>(backup_position);
  }
  return 0;
}

Result<LogMeta> decode_log_meta(std::string_view file) {
  LogMeta meta;
  unsigned seen = 0;
  std::optional<std::string_view> encryption;
  const std::string_view message = TRY(message_of(file));
  TRY(for_each_field(message, [&](const ProtobufField& field) {
    note(seen, field);
    if (field.is(1, Wire::kFixed32)) {
      meta.version = static_cast<std::uint32_t>(field.value);
    } else if (field.is(2, Wire::kFixed32)) {
      meta.log = static_cast<std::uint32_t>(field.value);
    } else if (field.is(3, Wire::kFixed64)) {
      set(meta.position, field.value);
    } else if (field.is(4, Wire::kFixed64)) {
      set(meta.order, field.value);
    } else if (field.is(5, Wire::kBytes)) {
      encryption = field.bytes;
    } else if (field.is(6, Wire::kFixed64)) {
      set(meta.backup_position, field.value);
    } else if (field.is(7, Wire::kFixed64)) {
      set(meta.backup_order, field.value);
    }
  }));
  if (!has_first(seen, 4)) {
    return corrupt("a field is missing");
  }
  if (encryption) {
    meta.key_alias = TRY(key_alias_of(*encryption));
  }
  return meta;
}

Result<CheckpointMeta> decode_checkpoint_meta(std::string_view file) {
  CheckpointMeta meta;
  unsigned seen = 0;
  const std::string_view message = TRY(message_of(file));
  TRY(for_each_field(message, [&](const ProtobufField& field) {
    note(seen, field);
    if (field.is(1, Wire::kFixed32)) {
      meta.version = static_cast<std::uint32_t>(field.value);
    } else if (field.is(2, Wire::kFixed64)) {
      set(meta.order, field.value);
    } else if (field.is(3, Wire::kFixed32)) {
      meta.size = static_cast<std::uint32_t>(field.value);
    } else if (field.is(4, Wire::kFixed32)) {
      meta.head = static_cast<std::uint32_t>(field.value);
    }
  }));
  if (!has_first(seen, 4)) {
    return corrupt("a field is missing");
  }
  return meta;
}

}  // namespace millrace::flume_log
