// Goal: each kind of value is JSON as Avro's specification has it; damage is no crash.
#include "serializer/avro_json.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/bytes.h"

namespace millrace {
namespace {

std::string json_of(std::string_view schema, std::string_view bytes) {
  std::string out;
  const AvroSchema parsed = AvroSchema::parse(schema).value();
  const Result<> written = append_avro_json(parsed, bytes, out);
  return written.ok() ? out : "error";
}

template <class T>
std::string raw(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

TEST(AvroJsonTest, WritesEachKind) {
  EXPECT_EQ(json_of(R"("null")", ""), "null");
  EXPECT_EQ(json_of(R"("boolean")", "\x01"), "true");
  EXPECT_EQ(json_of(R"("int")", "\x03"), "-2");
  EXPECT_EQ(json_of(R"("double")", raw(1.5)), "1.5");
  EXPECT_EQ(json_of(R"("float")", raw(0.25F)), "0.25");
  EXPECT_EQ(json_of(R"("string")", "\x06\"\n\\"), R"("\"\u000a\\")");
  EXPECT_EQ(json_of(R"("bytes")", "\x04x\xFF"), "\"x\xC3\xBF\"");
  EXPECT_EQ(json_of(R"({"type":"fixed","name":"F","size":2})", "ab"), R"("ab")");
  EXPECT_EQ(json_of(R"({"type":"enum","name":"E","symbols":["A","B"]})", "\x02"), R"("B")");
  EXPECT_EQ(json_of(R"({"type":"array","items":"int"})", std::string_view("\x04\x02\x04\0", 4)),
            "[1,2]");
  EXPECT_EQ(json_of(R"({"type":"map","values":"int"})", std::string_view("\x02\x02k\x02\0", 5)),
            R"({"k":1})");
  EXPECT_EQ(json_of(R"(["null","string"])", std::string_view("\0", 1)), "null");
  EXPECT_EQ(json_of(R"(["null","string"])", "\x02\x02x"), R"({"string":"x"})");
  EXPECT_EQ(json_of(R"({"type":"record","name":"R","fields":[]})", ""), "{}");
}

TEST(AvroJsonTest, RefusesWhatIsNoValue) {
  EXPECT_EQ(json_of(R"("string")", "\x06x"), "error");
  EXPECT_EQ(json_of(R"(["null"])", "\x02"), "error");
}

}  // namespace
}  // namespace millrace
