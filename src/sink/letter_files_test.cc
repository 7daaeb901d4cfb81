#include "sink/letter_files.h"

#include <gtest/gtest.h>

#include "core/testing_services.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Bodies = std::vector<std::string>;
using Operation = FakeFileSystem::Operation;

class LetterFilesTest : public testing::Test {
 protected:
  std::unique_ptr<LetterFiles> make(const std::string& sink = "k1") {
    return std::make_unique<LetterFiles>(config, DeadLetterContext{"a1", sink, kit.services});
  }
  BatchPtr letters(const Bodies& bodies) { return kit.slabs.batch_of_bodies(bodies); }
  Bodies names() { return kit.files.list("/dead").value(); }
  // Of a file, whole blocks.
  Bodies bodies_in(const std::string& name) {
    auto reader = AvroContainerReader::open(kit.files, "/dead/" + name);
    EXPECT_TRUE(reader.ok());
    Bodies bodies;
    for (;;) {
      const auto block = reader->next_block();
      if (!block.ok() || !block.value()) {
        return bodies;
      }
      AvroEvents events(**block);
      AvroEvent event;
      while (events.next(event).value()) {
        bodies.emplace_back(event.body);
      }
    }
  }
  Bodies all_bodies() {
    Bodies all;
    for (const std::string& name : names()) {
      const Bodies some = bodies_in(name);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  testing_kit::TestServices kit;
  RejectionConfig config{.directory = "/dead"};
};

TEST_F(LetterFilesTest, MakesTheFolderAndNoFileBeforeTheFirstLetter) {
  const auto made = make();
  ASSERT_TRUE(made->start().ok());
  EXPECT_EQ(names(), Bodies{});
  EXPECT_EQ(made->write(letters({"a", "b"})).events, 2u);
  EXPECT_EQ(names(), Bodies{"a1.k1-1700000000000-1.avro"});
}

// A letter is durable when write() returns: the channel forgets its event then.
TEST_F(LetterFilesTest, KeepsLettersAcrossAPowerLoss) {
  kit.files.let_unsynced_survive(false);
  const auto made = make();
  ASSERT_TRUE(made->start().ok());
  ASSERT_TRUE(made->write(letters({"a"})).outcome.ok());
  ASSERT_TRUE(made->write(letters({"b", "c"})).outcome.ok());
  kit.files.crash();
  EXPECT_EQ(all_bodies(), (Bodies{"a", "b", "c"}));
}

TEST_F(LetterFilesTest, AFileCanBeReadWhileItGrows) {
  const auto made = make();
  ASSERT_TRUE(made->start().ok());
  (void)made->write(letters({"a"}));
  EXPECT_EQ(all_bodies(), Bodies{"a"});
  (void)made->write(letters({"b"}));
  EXPECT_EQ(all_bodies(), (Bodies{"a", "b"}));
}

TEST_F(LetterFilesTest, RollsBySizeAndByAge) {
  config.roll_size = {2000};
  config.roll_interval = 60s;
  const auto made = make();
  ASSERT_TRUE(made->start().ok());
  (void)made->write(letters({"small"}));
  made->idle();
  (void)made->write(letters({std::string(3000, 'x')}));
  EXPECT_EQ(names().size(), 1u);
  made->idle();
  (void)made->write(letters({"second file"}));
  EXPECT_EQ(names().size(), 2u);
  kit.clock.advance(60s);
  made->idle();
  EXPECT_EQ(names().size(), 2u) << "a new one is begun with the next letter";
  (void)made->write(letters({"third file"}));
  EXPECT_EQ(names().size(), 3u);
}

TEST_F(LetterFilesTest, SinksAndRunsShareAFolder) {
  const auto first = make();
  const auto second = make("k/2");
  const auto again = make();  // The same agent and sink, in the same millisecond.
  for (LetterFiles* made : {first.get(), second.get(), again.get()}) {
    ASSERT_TRUE(made->start().ok());
    EXPECT_TRUE(made->write(letters({"x"})).outcome.ok());
  }
  EXPECT_EQ(names(), (Bodies{"a1.k1-1700000000000-1.avro", "a1.k1-1700000000000-2.avro",
                             "a1.k_2-1700000000000-1.avro"}));
}

TEST_F(LetterFilesTest, AFolderThatCannotBeWrittenIsFoundAtTheStart) {
  kit.files.fail_next(Operation::kOpen, EACCES);
  EXPECT_FALSE(make()->start().ok());
}

TEST_F(LetterFilesTest, WhatFailedIsNowhereAndComesInTheNextFile) {
  const auto made = make();
  ASSERT_TRUE(made->start().ok());
  (void)made->write(letters({"a"}));
  for (const int error_number : {ENOSPC, EFBIG}) {
    kit.files.fail_next(Operation::kWrite, error_number);
    const Posted failed = made->write(letters({"b"}));
    EXPECT_EQ(failed.events, 0u);
    EXPECT_FALSE(failed.outcome.ok());
    EXPECT_TRUE(made->write(letters({"b"})).outcome.ok());
  }
  EXPECT_EQ(bodies_in("a1.k1-1700000000000-1.avro"), Bodies{"a"});
  EXPECT_EQ(bodies_in("a1.k1-1700000000000-2.avro"), Bodies{"b"});
  EXPECT_EQ(bodies_in("a1.k1-1700000000000-3.avro"), Bodies{"b"});
}

TEST_F(LetterFilesTest, ADiskThatStaysFullCollectsNoFiles) {
  const auto made = make();
  ASSERT_TRUE(made->start().ok());
  for (int i = 0; i < 5; ++i) {
    kit.files.fail(Operation::kWrite, ENOSPC, 1, 1);  // The file's header has room.
    EXPECT_EQ(made->write(letters({"a"})).events, 0u);
  }
  EXPECT_EQ(names(), Bodies{});
}

// After a failed sync the kernel may have dropped the pages: the file is not written any more.
TEST_F(LetterFilesTest, GoesOnInAnotherFileAfterAFailedSync) {
  kit.files.let_unsynced_survive(false);
  const auto made = make();
  ASSERT_TRUE(made->start().ok());
  (void)made->write(letters({"a"}));
  kit.files.fail_next(Operation::kSync, EIO);
  EXPECT_EQ(made->write(letters({"b"})).events, 0u);
  EXPECT_EQ(made->write(letters({"b"})).events, 1u);
  kit.files.crash();
  EXPECT_EQ(all_bodies(), (Bodies{"a", "b"}));
}

}  // namespace
}  // namespace millrace
