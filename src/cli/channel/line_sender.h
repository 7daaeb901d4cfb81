// Sends lines to a netcat source and counts its answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/descriptor.h"

namespace millrace {

// A line counts once it was answered OK. One that was answered FAILED, as by a channel that is
// full, goes out again. Threads: one.
class LineSender {
 public:
  struct Options {
    std::size_t window = 1000;                   // Most lines without an answer.
    std::chrono::seconds patience{60};           // For an answer, or for room to send.
    std::chrono::milliseconds first_pause{100};  // After a FAILED; doubled up to last_pause.
    std::chrono::milliseconds last_pause{2000};
  };
  // kTransient when nobody listens there.
  static Result<LineSender> connect(const std::string& host, const std::string& port,
                                    const Options& options);

  // `line` without its end. Waits for answers while the window is full. After an error nothing more
  // can be sent; what was answered stays counted.
  Result<> send(std::string_view line);
  // Waits for what is still to be answered.
  Result<> finish();

  std::uint64_t answered() const { return answered_; }  // OK.
  std::uint64_t refused() const { return refused_; }    // FAILED; they went out again.

 private:
  LineSender(Descriptor socket, const Options& options);

  Result<> flush();
  Result<> read_answers();
  Result<> take_answer(std::string_view answer);

  Descriptor socket_;
  Options options_;
  std::string out_;               // To be sent.
  std::deque<std::string> open_;  // Sent and not answered, in order.
  std::string half_answer_;
  std::chrono::milliseconds pause_;
  std::uint64_t answered_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace millrace
