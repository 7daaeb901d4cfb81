#include "source/taildir/put_window.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

class PutWindowTest : public testing::Test {
 protected:
  // A put that reads the file up to `end`.
  PutDone put(std::uint64_t end) {
    file_->advance(end);
    return window_.add({{file_, file_->restarts(), end}});
  }
  PutWindow::Collected collect() { return window_.collect(rewound_); }

  TailedFilePtr file_ = std::make_shared<TailedFile>(FileId{1, 2}, 0, TailEntry{2, 5, "/a", {}});
  PutWindow window_;
  std::vector<TailedFilePtr> rewound_;
};

TEST_F(PutWindowTest, APositionMovesOverWhatIsCommittedAlone) {
  const PutDone first = put(10);
  const PutDone second = put(20);
  second({});
  EXPECT_EQ(collect().committed, 0u);
  EXPECT_EQ(file_->committed(), 5u);
  first({});
  EXPECT_EQ(collect().committed, 2u);
  EXPECT_EQ(file_->committed(), 20u);
  EXPECT_TRUE(window_.empty());
}

TEST_F(PutWindowTest, AFailedPutAndWhatIsBehindItAreReadAgain) {
  const PutDone first = put(10);
  const PutDone second = put(20);
  const PutDone third = put(30);
  first({});
  second(transient("no disk"));
  third({});
  const PutWindow::Collected collected = collect();
  EXPECT_TRUE(collected.failed);
  EXPECT_EQ(collected.committed, 1u);
  EXPECT_EQ(file_->position(), 10u);
  EXPECT_FALSE(rewound_.empty());
  EXPECT_TRUE(window_.empty());
  put(30)({});
  EXPECT_EQ(collect().committed, 1u);
  EXPECT_EQ(file_->committed(), 30u);
}

TEST_F(PutWindowTest, AnAnswerMayComeWhenTheWindowHasGone) {
  const PutDone late = put(10);
  window_ = PutWindow();
  late({});
  EXPECT_EQ(collect().committed, 0u);
  EXPECT_EQ(file_->committed(), 5u);
}

}  // namespace
}  // namespace millrace
