// Schemas of Avro files, whoever wrote them (Avro 1.11 specification, "Schema Declaration",
// "Parsing Canonical Form for Schemas", "Schema Fingerprints").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace {

// Knows where values of a schema end, and the name by which others know the schema.
// Threads: any, it never changes.
class AvroSchema {
 public:
  // kCorrupt, with what is wrong, for a text that is no schema.
  static Result<AvroSchema> parse(std::string_view json);

  // The bytes of the value that `bytes` begins with; nothing when they hold no whole value of the
  // schema. Values nested deeper than kDeepestValue are none.
  static constexpr int kDeepestValue = 500;
  Result<std::string_view> first_value(std::string_view bytes) const;

  // The schema without what does not change how values are written.
  std::string canonical_form() const;
  // CRC-64-AVRO of the canonical form, as 16 hexadecimal digits, its lowest byte first.
  std::string fingerprint() const;

 private:
  friend class AvroSchemaReader;
  friend class AvroJsonWriter;
  enum class Kind : std::uint8_t {
    kNull,
    kBoolean,
    kInt,
    kLong,
    kFloat,
    kDouble,
    kBytes,
    kString,
    kFixed,
    kEnum,
    kArray,
    kMap,
    kUnion,
    kRecord,
  };
  static std::string_view name_of(Kind kind);

  struct Node {
    Kind kind;
    std::string name{};                   // Full, of a fixed, an enum or a record.
    std::uint64_t size = 0;               // Of a fixed, in bytes.
    std::vector<std::size_t> children{};  // Indices of nodes: items, values, branches, fields.
    std::vector<std::string> names{};     // Of the fields, or the symbols.
    std::vector<std::size_t> passed{};    // The fields whose values have bytes.
    bool is_empty = false;                // Its values have no bytes.
  };
  // Walks over one value after another; false: damaged.
  struct Walk {
    const char* at;
    const char* end;
    bool read_long(std::int64_t& value);
    bool skip(std::uint64_t bytes);
  };
  bool pass(std::size_t index, Walk& walk, int depth) const;
  bool pass_blocks(const Node& node, Walk& walk, int depth) const;
  void write(std::size_t index, std::vector<bool>& seen, std::string& out) const;

  std::vector<Node> nodes_;
  std::size_t root_ = 0;
};

}  // namespace millrace
