#include "serializer/avro_schema.h"

#include <fmt/format.h>

#include <array>

namespace millrace {
namespace {

constexpr std::uint64_t kEmptyFingerprint = 0xc15d213aa4d7a795;

constexpr std::array<std::uint64_t, 256> make_fingerprint_table() {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    std::uint64_t value = i;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1) ^ ((value & 1) != 0 ? kEmptyFingerprint : 0);
    }
    table[i] = value;
  }
  return table;
}

}  // namespace

std::string_view AvroSchema::name_of(Kind kind) {
  constexpr std::string_view kNames[] = {"null",   "boolean", "int",    "long",  "float",
                                         "double", "bytes",   "string", "fixed", "enum",
                                         "array",  "map",     "union",  "record"};
  return kNames[static_cast<std::size_t>(kind)];
}

Result<std::string_view> AvroSchema::first_value(std::string_view bytes) const {
  Walk walk{bytes.data(), bytes.data() + bytes.size()};
  if (!pass(root_, walk, 0)) {
    return corrupt("its bytes are no value of the schema");
  }
  return bytes.substr(0, static_cast<std::size_t>(walk.at - bytes.data()));
}

// No ByteReader: this runs for each part of billions of values, and its errors carry texts.
bool AvroSchema::Walk::read_long(std::int64_t& value) {
  std::uint64_t zigzag = 0;
  for (unsigned shift = 0; shift < 70 && at < end; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    if (shift == 63 && byte > 1) {
      return false;
    }
    zigzag |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) {
      value = static_cast<std::int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
      return true;
    }
  }
  return false;
}

bool AvroSchema::Walk::skip(std::uint64_t bytes) {
  if (bytes > static_cast<std::uint64_t>(end - at)) {
    return false;
  }
  at += bytes;
  return true;
}

// Each step takes a byte at least, or goes deeper: damage costs no more time than whole values do.
bool AvroSchema::pass(std::size_t index, Walk& walk, int depth) const {
  const Node& node = nodes_[index];
  std::int64_t number = 0;
  switch (node.kind) {
    case Kind::kNull:
      return true;
    case Kind::kBoolean:
      return walk.skip(1);
    case Kind::kInt:
    case Kind::kLong:
      return walk.read_long(number);
    case Kind::kFloat:
      return walk.skip(4);
    case Kind::kDouble:
      return walk.skip(8);
    case Kind::kBytes:
    case Kind::kString:
      return walk.read_long(number) && number >= 0 && walk.skip(static_cast<std::uint64_t>(number));
    case Kind::kFixed:
      return walk.skip(node.size);
    case Kind::kEnum:
      return walk.read_long(number) && number >= 0 &&
             static_cast<std::uint64_t>(number) < node.names.size();
    case Kind::kArray:
    case Kind::kMap:
      return depth < kDeepestValue && pass_blocks(node, walk, depth + 1);
    case Kind::kUnion:
      return depth < kDeepestValue && walk.read_long(number) && number >= 0 &&
             static_cast<std::uint64_t>(number) < node.children.size() &&
             pass(node.children[static_cast<std::size_t>(number)], walk, depth + 1);
    case Kind::kRecord:
      for (const std::size_t field : node.passed) {
        if (depth == kDeepestValue || !pass(field, walk, depth + 1)) {
          return false;
        }
      }
      return true;
  }
  return false;
}

// Items in blocks of {count, items}, up to one of 0; a negative count is followed by the length of
// the block's bytes, which does without belief. Items without bytes are passed all at once.
bool AvroSchema::pass_blocks(const Node& node, Walk& walk, int depth) const {
  const std::size_t item = node.children.front();
  std::int64_t length = 0;
  for (;;) {
    std::int64_t count = 0;
    if (!walk.read_long(count) || (count < 0 && !walk.read_long(length))) {
      return false;
    }
    if (count == 0) {
      return true;
    }
    auto left =
        count < 0 ? ~static_cast<std::uint64_t>(count) + 1 : static_cast<std::uint64_t>(count);
    if (node.kind == Kind::kArray && nodes_[item].is_empty) {
      left = 0;
    }
    for (; left > 0; --left) {
      const bool key = node.kind == Kind::kArray || (walk.read_long(length) && length >= 0 &&
                                                     walk.skip(static_cast<std::uint64_t>(length)));
      if (!key || !pass(item, walk, depth)) {
        return false;
      }
    }
  }
}

std::string AvroSchema::canonical_form() const {
  std::string out;
  std::vector<bool> seen(nodes_.size());
  write(root_, seen, out);
  return out;
}

// A named type stands as a whole where it comes first, as its name afterwards.
void AvroSchema::write(std::size_t index, std::vector<bool>& seen, std::string& out) const {
  const Node& node = nodes_[index];
  const auto list = [&](std::string_view open, const auto& item, std::string_view close) {
    out += open;
    const std::size_t count = std::max(node.children.size(), node.names.size());
    for (std::size_t i = 0; i < count; ++i) {
      out += i > 0 ? "," : "";
      item(i);
    }
    out += close;
  };
  switch (node.kind) {
    case Kind::kUnion:
      list(
          "[", [&](std::size_t i) { write(node.children[i], seen, out); }, "]");
      return;
    case Kind::kArray:
    case Kind::kMap:
      out +=
          node.kind == Kind::kArray ? R"({"type":"array","items":)" : R"({"type":"map","values":)";
      write(node.children.front(), seen, out);
      out += '}';
      return;
    case Kind::kFixed:
    case Kind::kEnum:
    case Kind::kRecord:
      break;
    default:
      out += fmt::format(R"("{}")", name_of(node.kind));
      return;
  }
  if (seen[index]) {
    out += fmt::format(R"("{}")", node.name);
    return;
  }
  seen[index] = true;
  out += fmt::format(R"({{"name":"{}","type":"{}",)", node.name, name_of(node.kind));
  if (node.kind == Kind::kFixed) {
    out += fmt::format(R"("size":{}}})", node.size);
  } else if (node.kind == Kind::kEnum) {
    list(R"("symbols":[)", [&](std::size_t i) { out += fmt::format(R"("{}")", node.names[i]); },
         "]}");
  } else {
    const auto write_field = [&](std::size_t i) {
      out += fmt::format(R"({{"name":"{}","type":)", node.names[i]);
      write(node.children[i], seen, out);
      out += '}';
    };
    list(R"("fields":[)", write_field, "]}");
  }
}

std::string AvroSchema::fingerprint() const {
  static constexpr auto kTable = make_fingerprint_table();
  std::uint64_t value = kEmptyFingerprint;
  for (const char c : canonical_form()) {
    value = (value >> 8) ^ kTable[(value ^ static_cast<unsigned char>(c)) & 0xFF];
  }
  std::string digits;
  for (int byte = 0; byte < 8; ++byte, value >>= 8) {
    digits += fmt::format("{:02x}", value & 0xFF);
  }
  return digits;
}

}  // namespace millrace
