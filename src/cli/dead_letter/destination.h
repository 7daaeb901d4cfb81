// Where replayed letters go, and what of them is known to be there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/dead_letter/letters.h"
#include "io/file_system.h"

namespace millrace {

// Threads: one.
class LetterDestination {
 public:
  // What became of the letters since the last settle(), in their order.
  struct Settled {
    std::size_t known = 0;             // The first ones, stored there but for
    std::vector<std::size_t> refused;  // these of them, which it will never take.
    Result<> outcome;                  // Why not all are known.
  };

  virtual ~LetterDestination() = default;
  // Why this letter cannot go there; empty: it can.
  virtual std::string obstacle(const Letter& letter) const = 0;
  virtual Result<> add(const Letter& letter) = 0;
  // settle() comes before the next letter.
  virtual bool is_full() const = 0;
  // Returns when it is known of all that was added, or never will be.
  virtual Settled settle() = 0;
  virtual bool carries_headers() const = 0;
};

// `into`: FILE.avro, which must not be there, and is, whole, after settle(); else HOST:PORT of a
// netcat source.
Result<std::unique_ptr<LetterDestination>> open_letter_destination(FileSystem& files,
                                                                   const std::string& into);

}  // namespace millrace
