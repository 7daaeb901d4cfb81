// What a netcat client is owed for its lines, in their order.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace millrace {

// Puts may be answered out of order, lines never are. Threads: its connection's loop.
class AnswerQueue {
 public:
  using Ticket = std::uint64_t;

  // The next answer; it is not known yet.
  Ticket owe() {
    answers_.emplace_back();
    return first_ + answers_.size() - 1;
  }
  // Now it is; may be empty.
  void settle(Ticket ticket, std::string text) { answers_[ticket - first_] = std::move(text); }

  // The answers at the front that are known; they are owed no more.
  std::string take_known() {
    std::string text;
    while (!answers_.empty() && answers_.front()) {
      text += *answers_.front();
      answers_.pop_front();
      ++first_;
    }
    return text;
  }
  bool empty() const { return answers_.empty(); }

 private:
  std::deque<std::optional<std::string>> answers_;
  Ticket first_ = 0;  // Of the front.
};

}  // namespace millrace
