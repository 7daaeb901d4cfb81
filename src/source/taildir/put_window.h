// What the source `TAILDIR` has put and its channels have not answered yet.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/channel.h"
#include "source/taildir/tailed_file.h"

namespace millrace {

// Up to where a put reads a file.
struct TailMark {
  TailedFilePtr file;
  std::uint32_t restarts;  // Of the file, when it was read.
  std::uint64_t end;
};

// A file's position moves on only over puts that the channels have committed, and never past one
// that they have not. Answers may come in any order, and after the window has gone.
// Threads: its source's.
class PutWindow {
 public:
  struct Collected {
    std::size_t committed = 0;  // Puts.
    bool failed = false;
  };

  // The answer to a put of these.
  PutDone add(std::vector<TailMark> marks);
  // Takes in the answers that have come. After a failure all that waits is forgotten, and its files
  // go back to where the channels have them; they are returned in `rewound`.
  Collected collect(std::vector<TailedFilePtr>& rewound);
  bool empty() const { return puts_.empty(); }

 private:
  enum class Answer { kNone, kCommitted, kFailed };
  struct Put {
    std::vector<TailMark> marks;
    Answer answer = Answer::kNone;
  };
  std::deque<std::shared_ptr<Put>> puts_;
};

}  // namespace millrace
