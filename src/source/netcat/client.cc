#include "source/netcat/client.h"

namespace millrace {

void NetcatClient::settle(AnswerQueue::Ticket ticket, const Result<>& result, std::size_t lines) {
  answers_.settle(ticket, replies_->to_lines(result, lines));
  send_answers();
}

void NetcatClient::refuse_line() {
  answers_.settle(answers_.owe(), replies_->to_long_line());
  connection_.pause_reading();
  end();
}

void NetcatClient::end() {
  tail_.clear();
  over_ = true;
  send_answers();
}

void NetcatClient::send_answers() {
  const std::string text = answers_.take_known();
  if (!text.empty() && !connection_.write(text)) {
    connection_.pause_reading();  // Until on_drained().
  }
  if (over_ && answers_.empty()) {
    connection_.finish();
  }
}

}  // namespace millrace
