// Dead letters: where the events go that a sink can never deliver, and why they are there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/component.h"
#include "core/event_batch.h"
#include "core/rejection_config.h"

namespace millrace {

// The headers of a letter, beside those of its event. One that is there already, of an earlier
// rejection, is replaced.
namespace letter_header {
inline constexpr std::string_view kPrefix = "dead-letter.";
inline constexpr std::string_view kReason = "dead-letter.reason";  // In words, as the sink has it.
inline constexpr std::string_view kTime = "dead-letter.time";      // Ms since 1970, of the refusal.
inline constexpr std::string_view kComponent = "dead-letter.component";   // "a1.sinks.k1"
inline constexpr std::string_view kTakenFrom = "dead-letter.taken-from";  // The channel: "c1".
}  // namespace letter_header

// How far a write came: the first `events` letters are safe; `outcome` says why others are not.
struct Posted {
  std::size_t events = 0;
  Result<> outcome;
};

// Repeats: letters of a write that failed may be there all the same, and come again.
// Threads: made on the control thread, then used by its sink's runner alone.
class DeadLetter {
 public:
  virtual ~DeadLetter() = default;

  // Finds out whether letters can be written, before there is one. Tried again after an error.
  virtual Result<> start() { return {}; }
  // Returns when the letters are as durable as the target makes them.
  virtual Posted write(const BatchPtr& letters) = 0;
  // Work by the clock: called before each transaction of the sink, and while nothing comes.
  virtual void idle() {}
  virtual void stop() {}
};

struct DeadLetterContext {
  std::string agent;
  std::string sink;
  Services& services;
};

// Makes the one that writes files. Core knows no file formats: the family that does enters itself.
using MakeLetterFiles = std::unique_ptr<DeadLetter> (*)(const RejectionConfig& config,
                                                        const DeadLetterContext& context);
struct RegisterLetterFiles {
  explicit RegisterLetterFiles(MakeLetterFiles make);
};
// Ends the process when nothing entered itself.
std::unique_ptr<DeadLetter> make_letter_files(const RejectionConfig& config,
                                              const DeadLetterContext& context);

}  // namespace millrace
