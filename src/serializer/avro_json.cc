#include "serializer/avro_json.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "base/bytes.h"

namespace millrace {
namespace {

void append_escaped(std::string_view text, std::string& out) {
  out += '"';
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      out += {'\\', letter};
    } else if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += letter;
    }
  }
  out += '"';
}

// A character a byte, in UTF-8.
void append_bytes(std::string_view bytes, std::string& out) {
  std::string text;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80) {
      text += letter;
    } else {
      text += {static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))};
    }
  }
  append_escaped(text, out);
}

template <class T>
void append_real(T value, std::string& out) {
  if (std::isfinite(value)) {
    out += fmt::format("{}", value);
  } else {
    out += std::isnan(value) ? R"("NaN")" : value > 0 ? R"("Infinity")" : R"("-Infinity")";
  }
}

}  // namespace

// The bytes were passed as one whole value before: only what is in them is read.
class AvroJsonWriter {
 public:
  AvroJsonWriter(const AvroSchema& schema, std::string_view value, std::string& out)
      : schema_(schema), reader_(value), out_(out) {}

  Result<> write() { return write(schema_.root_); }

 private:
  using Kind = AvroSchema::Kind;

  Result<> write(std::size_t index) {
    const AvroSchema::Node& node = schema_.nodes_[index];
    switch (node.kind) {
      case Kind::kArray:
      case Kind::kMap:
        return write_blocks(node);
      case Kind::kUnion:
        return write_branch(node.children[TRY(read_index(node.children.size()))]);
      case Kind::kRecord:
        return write_record(node);
      default:
        return write_scalar(node);
    }
  }

  Result<> write_scalar(const AvroSchema::Node& node) {
    switch (node.kind) {
      case Kind::kBoolean:
        out_ += TRY(reader_.bytes(1))[0] != 0 ? "true" : "false";
        break;
      case Kind::kInt:
      case Kind::kLong:
        out_ += std::to_string(TRY(reader_.avro_long()));
        break;
      case Kind::kFloat:
        append_real(TRY(read_real<float>()), out_);
        break;
      case Kind::kDouble:
        append_real(TRY(read_real<double>()), out_);
        break;
      case Kind::kBytes:
        append_bytes(TRY(reader_.avro_bytes()), out_);
        break;
      case Kind::kString:
        append_escaped(TRY(reader_.avro_bytes()), out_);
        break;
      case Kind::kFixed:
        append_bytes(TRY(reader_.bytes(node.size)), out_);
        break;
      case Kind::kEnum:
        append_escaped(node.names[TRY(read_index(node.names.size()))], out_);
        break;
      default:
        out_ += "null";
        break;
    }
    return {};
  }

  Result<> write_record(const AvroSchema::Node& node) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      out_ += i == 0 ? "{" : ",";
      append_escaped(node.names[i], out_);
      out_ += ':';
      TRY(write(node.children[i]));
    }
    out_ += node.children.empty() ? "{}" : "}";
    return {};
  }

  Result<> write_branch(std::size_t index) {
    const AvroSchema::Node& branch = schema_.nodes_[index];
    if (branch.kind == Kind::kNull) {
      out_ += "null";
      return {};
    }
    out_ += '{';
    append_escaped(branch.name.empty() ? AvroSchema::name_of(branch.kind) : branch.name, out_);
    out_ += ':';
    TRY(write(index));
    out_ += '}';
    return {};
  }

  Result<> write_blocks(const AvroSchema::Node& node) {
    const bool is_map = node.kind == Kind::kMap;
    out_ += is_map ? '{' : '[';
    for (bool first = true;;) {
      const std::int64_t count = TRY(reader_.avro_long());
      if (count == 0) {
        out_ += is_map ? '}' : ']';
        return {};
      }
      if (count < 0) {
        TRY(reader_.avro_long());
      }
      auto left =
          count < 0 ? ~static_cast<std::uint64_t>(count) + 1 : static_cast<std::uint64_t>(count);
      for (; left > 0; --left, first = false) {
        if (out_.size() > kMostText) {
          return corrupt("a value of more than " + std::to_string(kMostText) + " bytes of text");
        }
        out_ += first ? "" : ",";
        if (is_map) {
          append_escaped(TRY(reader_.avro_bytes()), out_);
          out_ += ':';
        }
        TRY(write(node.children.front()));
      }
    }
  }

  Result<std::size_t> read_index(std::size_t count) {
    const std::int64_t index = TRY(reader_.avro_long());
    if (index < 0 || static_cast<std::uint64_t>(index) >= count) {
      return corrupt("an index that the schema does not have");
    }
    return static_cast<std::size_t>(index);
  }

  template <class T>
  Result<T> read_real() {
    const std::string_view raw = TRY(reader_.bytes(sizeof(T)));
    T value;
    std::memcpy(&value, raw.data(), sizeof(T));  // x86-64 and arm64 are little-endian.
    return value;
  }

  // Items without bytes may be without number.
  static constexpr std::size_t kMostText = std::size_t{1} << 30;

  const AvroSchema& schema_;
  ByteReader reader_;
  std::string& out_;
};

Result<> append_avro_json(const AvroSchema& schema, std::string_view& bytes, std::string& out) {
  const std::string_view value = TRY(schema.first_value(bytes));
  bytes.remove_prefix(value.size());
  return AvroJsonWriter(schema, value, out).write();
}

}  // namespace millrace
