#include <gmock/gmock.h>

#include "deserializer/deserializer_fixture.h"

namespace millrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class BlobDeserializerTest : public DeserializerFixture {
 protected:
  BlobDeserializerTest()
      : DeserializerFixture("org.apache.flume.sink.solr.morphline.BlobDeserializer$Builder") {}
};

// Flume's testSimple, testBatch.
TEST_F(BlobDeserializerTest, AFileIsAnEvent) {
  use("line 1\nline 2\n");
  EXPECT_THAT(bodies(), ElementsAre("line 1\nline 2\n"));
  const std::string bytes("\0\xFF\r\n", 4);
  use(bytes);
  EXPECT_THAT(bodies(), ElementsAre(bytes));
}

// Flume's testMaxLineLength.
TEST_F(BlobDeserializerTest, ALongerOneBecomesSeveral) {
  use("abcdefghijklmnopqrstuvwxyz\n");
  EXPECT_THAT(bodies({{"maxBlobLength", "10"}}),
              ElementsAre("abcdefghij", "klmnopqrst", "uvwxyz\n"));
  use(std::string(20, 'a'));
  EXPECT_THAT(bodies({{"maxBlobLength", "10"}}, 1),
              ElementsAre(std::string(10, 'a'), std::string(10, 'a')));
  EXPECT_EQ(faults({{"maxBlobLength", "0"}}), 1u);
}

TEST_F(BlobDeserializerTest, GoesOnAtItsPosition) {
  use("abcdefghijkl");
  const auto events = read_all({{"maxBlobLength", "5"}}, 1);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].position, 10u);
  use("abcdefghijkl", 10);
  EXPECT_THAT(bodies({{"maxBlobLength", "5"}}), ElementsAre("kl"));
}

TEST_F(BlobDeserializerTest, LargeOnesAreReadInFewPutsAndWithinTheBudget) {
  const std::string large(std::size_t{12} << 20, 'x');
  use(large + large + large);
  const auto events = read_all({{"maxBlobLength", std::to_string(large.size())}});
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].position, 2 * large.size());
  EXPECT_EQ(events[2].body, large);

  limit_memory(std::size_t{8} << 20);
  EXPECT_THAT(bodies(), ElementsAre());
  EXPECT_THAT(error(), HasSubstr("lower maxBlobLength"));
}

}  // namespace
}  // namespace millrace
