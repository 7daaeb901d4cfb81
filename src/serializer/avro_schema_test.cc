// Goal: canonical forms and fingerprints are those of Avro's Java library, whose answers
// tests/golden/avro-schemas holds, and the end of each value is found.
#include "serializer/avro_schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/bytes.h"

namespace millrace {
namespace {

AvroSchema schema_of(std::string_view json) {
  auto schema = AvroSchema::parse(json);
  EXPECT_TRUE(schema.ok()) << json << ": " << schema.error().message();
  return std::move(schema).value();
}

// The bytes of the first value; -1: none.
int first(const AvroSchema& schema, std::string_view bytes) {
  const auto value = schema.first_value(bytes);
  return value.ok() ? static_cast<int>(value.value().size()) : -1;
}

TEST(AvroSchemaTest, HasTheFingerprintsOfJava) {
  const std::string folder = MILLRACE_SOURCE_DIR "/tests/golden/avro-schemas/";
  std::ifstream schemas(folder + "schemas.txt");
  std::ifstream answers(folder + "answers.txt");
  int compared = 0;
  for (std::string json, form, fingerprint; std::getline(schemas, json); ++compared) {
    ASSERT_TRUE(std::getline(answers, form) && std::getline(answers, fingerprint));
    const AvroSchema schema = schema_of(json);
    EXPECT_EQ(schema.canonical_form(), form);
    EXPECT_EQ(schema.fingerprint(), fingerprint);
  }
  EXPECT_GE(compared, 20);
}

TEST(AvroSchemaTest, FindsWhereValuesEnd) {
  EXPECT_EQ(first(schema_of("\"null\""), "x"), 0);
  EXPECT_EQ(first(schema_of("\"boolean\""), "\1x"), 1);
  EXPECT_EQ(first(schema_of("\"long\""), "\x80\x80\1x"), 3);
  EXPECT_EQ(first(schema_of("\"double\""), "12345678x"), 8);
  EXPECT_EQ(first(schema_of("\"string\""), "\6abcx"), 4);
  EXPECT_EQ(first(schema_of(R"({"type":"fixed","name":"f","size":3})"), "abcx"), 3);
  EXPECT_EQ(first(schema_of(R"({"type":"enum","name":"e","symbols":["A","B"]})"), "\2x"), 1);
  EXPECT_EQ(first(schema_of(R"(["null","int"])"), std::string_view("\0x", 2)), 1);
  EXPECT_EQ(first(schema_of(R"(["null","int"])"), "\2\2x"), 2);
  const AvroSchema list = schema_of(R"({"type":"array","items":"int"})");
  EXPECT_EQ(first(list, std::string_view("\4\2\2\2\2\0x", 7)), 6);  // Two blocks.
  EXPECT_EQ(first(list, std::string_view("\3\4\2\2\0x", 6)), 5);    // A count of -2, its bytes.
  EXPECT_EQ(first(schema_of(R"({"type":"map","values":"int"})"), std::string_view("\2\2a\2\0x", 6)),
            5);
  const AvroSchema chain = schema_of(
      R"({"type":"record","name":"n","fields":[{"name":"v","type":"int"},
          {"name":"next","type":["null","n"]}]})");
  EXPECT_EQ(first(chain, std::string_view("\2\2\4\2\6\0x", 7)), 6);
}

TEST(AvroSchemaTest, WhatIsCutOrOutOfRangeIsNoValue) {
  EXPECT_EQ(first(schema_of("\"string\""), "\6ab"), -1);
  EXPECT_EQ(first(schema_of("\"string\""), "\1"), -1);
  EXPECT_EQ(first(schema_of("\"long\""), std::string(10, '\xFF')), -1);
  EXPECT_EQ(first(schema_of("\"int\""), ""), -1);
  EXPECT_EQ(first(schema_of(R"(["null","int"])"), "\4"), -1);
  EXPECT_EQ(first(schema_of(R"({"type":"enum","name":"e","symbols":["A","B"]})"), "\4"), -1);
  EXPECT_EQ(first(schema_of(R"({"type":"fixed","name":"f","size":18446744073709551615})"), "a"),
            -1);
}

// Goal: what is nested or repeated without end costs neither stack nor time.
TEST(AvroSchemaTest, EndsWithValuesWithoutEnd) {
  const AvroSchema chain =
      schema_of(R"({"type":"record","name":"n","fields":[{"name":"next","type":["null","n"]}]})");
  EXPECT_EQ(first(chain, std::string(1'000'000, '\2')), -1);
  const AvroSchema itself =
      schema_of(R"({"type":"record","name":"n","fields":[{"name":"a","type":"n"}]})");
  EXPECT_EQ(first(itself, "abc"), -1);
  std::string many;
  append_avro_long(many, std::int64_t{1} << 62);
  many += '\0';
  EXPECT_EQ(first(schema_of(R"({"type":"array","items":"null"})"), many),
            static_cast<int>(many.size()));
  // Each record holds the one before twice.
  std::string doubled = R"([{"type":"record","name":"r0","fields":[]})";
  for (int i = 1; i < 60; ++i) {
    doubled +=
        fmt::format(R"(,{{"type":"record","name":"r{0}","fields":[{{"name":"a","type":"r{1}"}},)"
                    R"({{"name":"b","type":"r{1}"}}]}})",
                    i, i - 1);
  }
  std::string last;
  append_avro_long(last, 59);
  EXPECT_EQ(first(schema_of(doubled + "]"), last), static_cast<int>(last.size()));
}

TEST(AvroSchemaTest, RefusesWhatIsNone) {
  for (const char* const json :
       {"", "7", "\"nothing\"", "{}", R"({"type":"array"})", R"({"type":"map"})",
        R"({"type":"record","name":"r"})", R"({"type":"record","fields":[]})",
        R"({"type":"record","name":"r","fields":[{"name":"a"}]})",
        R"({"type":"record","name":"r","fields":[{"type":"int"}]})",
        R"({"type":"enum","name":"e"})", R"({"type":"fixed","name":"f"})",
        R"({"type":"fixed","name":"f","size":"x"})",
        R"([{"type":"fixed","name":"f","size":1},{"type":"fixed","name":"f","size":1}])"}) {
    EXPECT_FALSE(AvroSchema::parse(json).ok()) << json;
  }
}

}  // namespace
}  // namespace millrace
