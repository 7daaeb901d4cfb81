// What tests of the commands share: letters written as a sink's runner writes them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/fake_channel.h"
#include "core/letters.h"
#include "core/testing.h"
#include "io/event_loop.h"
#include "sink/letter_files.h"

namespace millrace {

struct TestLetter {
  std::string body;
  std::string reason = "no such topic";
  testing_kit::HeaderList headers;
};

// Writes to /dead of its own clock and file system, or of others.
class LetterWriter {
 public:
  LetterWriter(Clock& clock, FileSystem& files, const std::filesystem::path& folder,
               const std::string& sink = "k1")
      : clock_(clock),
        services_{clock, files, slabs_.pool(), metrics_, loop_},
        head_{"a1.sinks." + sink, "c1"},
        files_(config(folder), {"a1", sink, services_}) {
    EXPECT_TRUE(files_.start().ok());
  }

  void write(const std::vector<TestLetter>& letters) {
    FakeChannel channel;
    std::vector<testing_kit::TestEvent> events;
    Rejects rejects;
    rejects.start_lease(0);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      events.push_back({letters[i].body, letters[i].headers});
      rejects.add(i, letters[i].reason);
    }
    PutDone done = [](const Result<>&) {};
    ASSERT_EQ(channel.put(slabs_.batch_of(events), done), PutStatus::kAccepted);
    TakeTransaction taken(channel);
    ASSERT_NE(taken.take({1000, 1 << 20}, {}, {}), nullptr);
    const Posted posted = files_.write(letters_of(rejects, taken, head_, clock_, slabs_.space()));
    ASSERT_TRUE(posted.outcome.ok());
  }
  // Begins another file with the next letter.
  void roll() { files_.stop(); }

 private:
  static RejectionConfig config(const std::filesystem::path& folder) {
    RejectionConfig config;
    config.directory = folder;
    return config;
  }

  Clock& clock_;
  testing_kit::Slabs slabs_;
  MetricsRegistry metrics_;
  EventLoop loop_{"letters"};
  Services services_;
  const Letterhead head_;
  LetterFiles files_;
};

}  // namespace millrace
