#include "core/event_batch.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

class EventBatchTest : public testing::Test {
 protected:
  BatchPtr batch_of(const std::vector<std::string>& bodies) {
    EventBatch::Builder builder(space);
    for (const std::string& body : bodies) {
      HeaderEditor headers;
      headers.set("n", body);
      const std::string_view stored = builder.store_body(body);
      builder.add(stored, builder.store_headers(headers));
    }
    return builder.seal();
  }
  static std::vector<std::string> bodies(const EventBatch& batch) {
    std::vector<std::string> all;
    for (const EventRef& event : batch) {
      EXPECT_EQ(event.headers().find("n"), event.body());
      all.emplace_back(event.body());
    }
    return all;
  }

  ByteBudget budget{std::size_t{8} << 20};
  SlabPool pool{budget};
  BatchSpace space{pool};
};

using Bodies = std::vector<std::string>;

TEST_F(EventBatchTest, SlicesAndPicksWithoutCopyingBodies) {
  const BatchPtr batch = batch_of({"a", "bb", "ccc", "dddd"});
  const BatchPtr slice = batch->slice(1, 3);
  EXPECT_EQ(bodies(*slice), (Bodies{"bb", "ccc"}));
  EXPECT_EQ((*slice)[0].body_data, (*batch)[1].body_data);
  EXPECT_LT(slice->bytes(), batch->bytes());
  const std::uint32_t positions[] = {0, 3};
  EXPECT_EQ(bodies(*batch->pick(positions)), (Bodies{"a", "dddd"}));
}

TEST_F(EventBatchTest, OutlivesTheBatchItWasCutFrom) {
  BatchPtr batch = batch_of({"a", "b"});
  const BatchPtr slice = batch->slice(1, 2);
  batch.reset();
  EXPECT_EQ(bodies(*slice), Bodies{"b"});
}

TEST_F(EventBatchTest, CompactsIntoASlabOfItsSize) {
  const BatchPtr batch = batch_of({"a", "b", "c"});
  EXPECT_EQ(batch->pinned_bytes(), 2 * SlabPool::kSlabBytes);
  const BatchPtr copy = batch->compact(pool);
  EXPECT_EQ(bodies(*copy), (Bodies{"a", "b", "c"}));
  EXPECT_EQ(copy->pinned_bytes(), copy->bytes());
}

TEST_F(EventBatchTest, RangesOfASliceHoldAllItsBytes) {
  Bodies many;
  for (int i = 0; i < 3000; ++i) {
    many.push_back(std::string(200, 'x') + std::to_string(i));
  }
  const BatchPtr batch = batch_of(many);
  const BatchPtr slice = batch->slice(900, 2100);
  for (const EventRef& event : *slice) {
    bool inside = false;
    for (const SlabRange& range : slice->ranges()) {
      inside |= event.body_data >= range.bytes().data() &&
                event.body_data + event.body_size <= range.bytes().data() + range.bytes().size();
    }
    ASSERT_TRUE(inside);
  }
}

TEST_F(EventBatchTest, EditsOnceForEventsThatShareABlock) {
  EventBatch::Builder builder(space);
  HeaderEditor headers;
  headers.set("host", "h1");
  const std::string_view shared = builder.store_headers(headers);
  builder.add(builder.store_body("a"), shared);
  builder.add(builder.store_body("b"), shared);
  builder.add(builder.store_body("c"));
  int calls = 0;
  builder.edit_headers([&](HeaderEditor& editor) {
    ++calls;
    editor.set("site", "x");
  });
  EXPECT_EQ(calls, 2);
  const BatchPtr batch = builder.seal();
  EXPECT_EQ((*batch)[1].headers().find("host"), "h1");
  EXPECT_EQ((*batch)[1].headers().find("site"), "x");
  EXPECT_EQ((*batch)[2].headers().find("site"), "x");
}

TEST_F(EventBatchTest, GivesTheBudgetBackWithTheLastBatch) {
  {
    BatchSpace own{pool};
    EventBatch::Builder builder(own);
    builder.add(builder.store_body("a"));
    const BatchPtr batch = builder.seal();
    EXPECT_EQ(budget.used(), SlabPool::kSlabBytes);
  }
  EXPECT_EQ(budget.used(), 0u);
}

TEST_F(EventBatchTest, RoomIsEmptyWhenTheBudgetIsSpent) {
  ByteBudget small{SlabPool::kSlabBytes};
  SlabPool small_pool{small};
  SlabCursor cursor{small_pool};
  EXPECT_EQ(cursor.room(1).size(), SlabPool::kSlabBytes);
  cursor.take(SlabPool::kSlabBytes);
  const SlabPtr pinned = cursor.slab();
  EXPECT_TRUE(cursor.room(1).empty());
}

TEST_F(EventBatchTest, MuchAtOnceIsFollowedByALargeSlab) {
  SlabCursor cursor{pool};
  cursor.room(1);
  cursor.take(SlabPool::kSlabBytes);
  EXPECT_EQ(cursor.room(1).size(), SlabPool::kLargeSlabBytes);
  for (std::size_t taken = 0; taken < SlabPool::kLargeSlabBytes; taken += 1024) {
    cursor.take(1024);
  }
  EXPECT_EQ(cursor.room(1).size(), SlabPool::kSlabBytes);
}

TEST_F(EventBatchTest, LargeSlabsLeaveHalfOfTheBudget) {
  ByteBudget small{2 * SlabPool::kLargeSlabBytes};
  SlabPool small_pool{small};
  SlabCursor cursor{small_pool};
  cursor.room(1);
  cursor.take(SlabPool::kSlabBytes);
  EXPECT_EQ(cursor.room(1).size(), SlabPool::kSlabBytes);
}

}  // namespace
}  // namespace millrace
