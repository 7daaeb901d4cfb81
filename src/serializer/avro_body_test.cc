// Goal: bodies come back as values of the schema that their headers name, from a file, a text or
// the configuration; an event without one, or with another than its file's, is rejected and spoils
// nothing.
#include "serializer/avro_body.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "core/registry.h"
#include "core/testing_services.h"
#include "serializer/avro_container_reader.h"

namespace millrace {
namespace {

constexpr const char* kUser =
    R"({"type":"record","name":"User","fields":[{"name":"name","type":"string"}]})";
constexpr const char* kNumber = R"("long")";

class AvroBodyTest : public testing::Test {
 protected:
  AvroBodyTest() { test_.files.put("/etc/user.avsc", kUser); }

  static std::string user(std::string_view name) {
    std::string value;
    append_avro_bytes(value, name);
    return value;
  }
  AvroBodySerializer make(AvroBodyConfig config = {}) {
    return AvroBodySerializer(std::move(config), context_);
  }
  BatchPtr one(const std::string& body, const testing_kit::HeaderList& headers) {
    return test_.slabs.batch_of({{body, headers}});
  }
  // Why the first event is rejected; empty when it is not.
  std::string refused(AvroBodySerializer& serializer, const BatchPtr& batch) {
    const Result<> checked = serializer.check((*batch)[0]);
    if (!checked.ok()) {
      EXPECT_EQ(checked.error().fault(), Fault::kRejected);
    }
    return checked.ok() ? "" : checked.error().message();
  }
  // Schema and values of a file, each with a semicolon.
  std::string contents(const std::string& file) {
    auto reader = AvroContainerReader::over(source_of(file), "/f", {.any_schema = true}).value();
    std::string text = reader.schema();
    for (auto block = reader.next_block().value(); block; block = reader.next_block().value()) {
      text += ";" + std::to_string(block->records) + ":" + std::string(block->bytes);
    }
    return text;
  }

  testing_kit::TestServices test_;
  SerializerContext context_{test_.services};
};

TEST_F(AvroBodyTest, WritesBodiesUnderTheSchemaOfTheFirst) {
  const testing_kit::HeaderList places[] = {{{"flume.avro.schema.url", "file:///etc/user.avsc"}},
                                            {{"flume.avro.schema.literal", kUser}}};
  for (const testing_kit::HeaderList& headers : places) {
    AvroBodySerializer serializer = make();
    const BatchPtr batch = test_.slabs.batch_of({{user("ann"), headers}, {user("bob"), headers}});
    ASSERT_EQ(refused(serializer, batch), "");
    std::string file;
    ASSERT_TRUE(serializer.begin(file).ok());
    ASSERT_TRUE(serializer.append(*batch, file).ok());
    ASSERT_TRUE(serializer.flush(file).ok());
    EXPECT_EQ(contents(file), std::string(kUser) + ";2:" + user("ann") + user("bob"));
  }
}

TEST_F(AvroBodyTest, TakesTheSchemaOfTheConfiguration) {
  AvroBodyConfig config;
  config.schema_url = "file:///etc/user.avsc";
  AvroBodySerializer serializer = make(config);
  std::string file;
  ASSERT_TRUE(serializer.begin(file).ok());
  EXPECT_EQ(file, "");
  ASSERT_TRUE(serializer.append(*one(user("ann"), {}), file).ok());
  ASSERT_TRUE(serializer.flush(file).ok());
  EXPECT_EQ(contents(file), std::string(kUser) + ";1:" + user("ann"));
}

TEST_F(AvroBodyTest, RejectsWhatTheFileCannotHold) {
  AvroBodySerializer serializer = make();
  const testing_kit::HeaderList headers{{"flume.avro.schema.literal", kUser}};
  EXPECT_NE(refused(serializer, one(user("ann"), {})).find("names no Avro schema"),
            std::string::npos);
  EXPECT_NE(refused(serializer, one("ann", headers)).find("no value"), std::string::npos);
  EXPECT_NE(refused(serializer, one(user("ann") + "x", headers)).find("no value"),
            std::string::npos);
  const testing_kit::HeaderList none{{"flume.avro.schema.literal", "{"}};
  EXPECT_NE(refused(serializer, one(user("ann"), none)).find("is none"), std::string::npos);
  EXPECT_EQ(refused(serializer, one(user("ann"), headers)), "");
  const testing_kit::HeaderList other{{"flume.avro.schema.literal", kNumber}};
  EXPECT_NE(refused(serializer, one("\x02", other)).find("not that of the first"),
            std::string::npos);
  std::string file;
  ASSERT_TRUE(serializer.begin(file).ok());
  EXPECT_EQ(serializer.append(*one("\x02", other), file).error().fault(), Fault::kRejected);
}

TEST_F(AvroBodyTest, ASchemaThatCannotBeReadIsTriedAgain) {
  AvroBodySerializer serializer = make();
  const BatchPtr batch = one(user("ann"), {{"flume.avro.schema.url", "file:///etc/late.avsc"}});
  EXPECT_EQ(serializer.check((*batch)[0]).error().fault(), Fault::kTransient);
  test_.files.put("/etc/late.avsc", kUser);
  EXPECT_EQ(refused(serializer, batch), "");
}

TEST_F(AvroBodyTest, RefusesOtherPlaces) {
  AvroBodySerializer serializer = make();
  for (const std::string url : {"http://host/a", "hdfs://nn/a", "file:", "file:///"}) {
    EXPECT_NE(refused(serializer, one(user("ann"), {{"flume.avro.schema.url", url}})), "") << url;
  }
}

// The header goes with the first transaction, wherever that fails, and never a second time.
TEST_F(AvroBodyTest, ForgetsADroppedTransaction) {
  AvroBodySerializer serializer = make();
  const testing_kit::HeaderList headers{{"flume.avro.schema.literal", kUser}};
  std::string file;
  ASSERT_TRUE(serializer.begin(file).ok());
  ASSERT_TRUE(serializer.flush(file).ok());
  for (const bool flushed : {false, true}) {
    ASSERT_TRUE(serializer.append(*one(user("lost"), headers), file).ok());
    ASSERT_TRUE(!flushed || serializer.flush(file).ok());
    serializer.drop_open();
    file.clear();
  }
  ASSERT_TRUE(serializer.append(*one(user("ann"), headers), file).ok());
  ASSERT_TRUE(serializer.flush(file).ok());
  ASSERT_TRUE(serializer.flush(file).ok());
  const std::string committed = file;
  serializer.drop_open();
  ASSERT_TRUE(serializer.append(*one(user("lost"), headers), file).ok());
  serializer.drop_open();
  file = committed;
  ASSERT_TRUE(serializer.append(*one(user("bob"), headers), file).ok());
  ASSERT_TRUE(serializer.flush(file).ok());
  EXPECT_EQ(contents(file), std::string(kUser) + ";1:" + user("ann") + ";1:" + user("bob"));
}

TEST_F(AvroBodyTest, IsFlumesByName) {
  EXPECT_NE(
      SerializerRegistry::instance().find("org.apache.flume.sink.hdfs.AvroEventSerializer$Builder"),
      nullptr);
}

}  // namespace
}  // namespace millrace
