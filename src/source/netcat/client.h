// What the netcat source keeps for a connection: the line whose end is still to come, and the
// answers that are owed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "io/tcp_connection.h"
#include "source/netcat/answers.h"
#include "source/netcat/replies.h"
#include "source/netcat/stream_decoder.h"

namespace millrace {

// Answers leave in the order of their lines. A client that is over is read no more, and its
// connection finished when all is answered. Outlives the source where puts are under way: it uses
// its connection and the shared replies alone.
// Threads: its connection's loop.
class NetcatClient final : public TcpConnection::State {
 public:
  // The connection owns it. Without a decoder it sends UTF-8, taken as it is.
  NetcatClient(TcpConnection& connection, std::shared_ptr<Replies> replies,
               std::unique_ptr<StreamDecoder> decoder)
      : connection_(connection), replies_(std::move(replies)), decoder_(std::move(decoder)) {}

  // Lines of it are on their way to the channels.
  AnswerQueue::Ticket owe() { return answers_.owe(); }
  // The channels' answer to `lines` of them.
  void settle(AnswerQueue::Ticket ticket, const Result<>& result, std::size_t lines);
  // Answers a line that is too long behind the lines before it; over, as with Flume.
  void refuse_line();
  // Nothing is read any more. A line whose end did not come is neither stored nor answered: without
  // an OK for it the client sends it again, whole.
  void end();

  bool over() const { return over_; }
  std::string& tail() { return tail_; }
  StreamDecoder* decoder() { return decoder_.get(); }
  std::shared_ptr<TcpConnection> connection() { return connection_.shared_from_this(); }

 private:
  void send_answers();

  TcpConnection& connection_;
  const std::shared_ptr<Replies> replies_;
  const std::unique_ptr<StreamDecoder> decoder_;
  std::string tail_;  // A line whose end is still to come, in UTF-8.
  AnswerQueue answers_;
  bool over_ = false;
};

}  // namespace millrace
