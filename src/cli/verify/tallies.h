// Sorts the events that are read back by run and hammer, and counts what belongs to none.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/hammer/report.h"
#include "cli/verify/sequence_checker.h"

namespace millrace {

struct HammerTally {
  std::string run;
  std::uint32_t hammer = 0;
  Tally tally;
};

// Something about a file that the numbers alone do not say.
struct FileNote {
  std::string file;
  std::uint64_t offset = 0;  // Byte where it begins.
  std::string text;          // Names both.
};

struct VerifyResult {
  std::vector<HammerTally> hammers;  // Ordered by run and hammer.
  std::vector<FileNote> notes;       // At most kMostNotes; note_count says how many there were.
  std::uint64_t note_count = 0;
  std::uint64_t files = 0;
  std::uint64_t cut = 0;         // Events that are shorter than they say: not counted as read.
  std::uint64_t other = 0;       // Lines and bodies that are no hammer's.
  std::uint64_t other_runs = 0;  // Events of runs that were not asked for.
  bool range_was_sent = false;   // Ranges come from hammer's report, not from what was read.

  static constexpr std::size_t kMostNotes = 100;
};

// Threads: one.
class Tallies {
 public:
  // With reports, or a run's name, only those runs count.
  void expect(const HammerReport& report);
  void want_run(const std::string& run);

  // A line or a body.
  void add(std::string_view text);
  void note(FileNote note);
  void count_file() { ++result_.files; }

  // Nothing is added afterwards. `start` is where hammers without a report began.
  VerifyResult finish(std::uint64_t start);
  std::size_t memory_bytes() const;

 private:
  struct Hammer {
    SequenceChecker checker;
    std::unique_ptr<Expected> expected;
  };
  struct Run {
    std::map<std::uint32_t, Hammer> hammers;
    bool wanted = false;
  };
  void choose(std::string_view run);

  std::map<std::string, Run, std::less<>> runs_;
  bool some_wanted_ = false;
  // Where the last event went: the next one mostly goes there too.
  std::string run_name_;
  Run* run_ = nullptr;
  std::uint32_t hammer_number_ = 0;
  Hammer* hammer_ = nullptr;
  VerifyResult result_;
};

}  // namespace millrace
