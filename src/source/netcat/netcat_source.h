// The netcat source (Flume 1.11, class NetcatSource): lines over TCP, each one answered.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "config/fields.h"
#include "core/channel_processor.h"
#include "core/component.h"
#include "core/event_batch.h"
#include "core/source.h"
#include "io/tcp_server.h"
#include "source/netcat/answers.h"

namespace millrace {

struct NetcatConfig {
  std::string bind;
  std::uint16_t port = 0;
  std::uint32_t max_line_length = 512;
  bool ack_every_event = true;
  std::string encoding = "utf-8";

  static constexpr auto fields() {
    using C = NetcatConfig;
    return std::tuple{
        field("bind", &C::bind, "Address or host name to listen on.").required().example("0.0.0.0"),
        field("port", &C::port, "Port to listen on.").required().range(0, 65'535),
        field("max-line-length", &C::max_line_length,
              "Characters of a line, newline included; a longer one is refused and the connection "
              "closed.")
            .range(1, 1 << 24),
        field("ack-every-event", &C::ack_every_event, "Whether each stored line is answered OK."),
        field("encoding", &C::encoding, "Encoding of the lines and of the answers.")
            .example("UTF-16BE"),
    };
  }
  void check(ConfigCheck& check) const;
};

// A line is an event without headers; its body is the line in UTF-8, without "\n", with "\r".
// Bytes that are no UTF-8 are kept as they are.
//
// Acknowledged: "OK\n" when every required channel has committed the line, "FAILED: reason\n" when
// one did not take it; in the order of the lines. Lines that a client sends ahead of the answers
// are stored together.
// Repeats: a line that was answered FAILED may have been stored by some channels; so may one whose
// answer was lost with the connection.
// Unlike Flume, a last line without a newline is an event too, when its client closes in order.
// Threads: start() and stop() on the control thread, the rest on the event loop.
class NetcatSource final : public Source, private TcpHandler {
 public:
  using Config = NetcatConfig;
  NetcatSource(Config config, SourceContext context);
  ~NetcatSource() override;

  Result<> start() override;
  void stop(SteadyTime deadline) override;
  // Where it listens, 0 when it does not.
  std::uint16_t port() const { return server_ ? server_->port() : 0; }

 private:
  struct Client;
  class Replies;
  // Lines of one connection in a batch.
  struct Owed {
    std::shared_ptr<TcpConnection> connection;
    AnswerQueue::Ticket ticket;
    std::size_t lines;
  };
  // A batch in the making, and who is to hear of it.
  struct Draft {
    explicit Draft(BatchSpace& space) : builder(space) {}
    EventBatch::Builder builder;
    std::vector<Owed> owed{};
  };

  void on_open(TcpConnection& connection) override;
  void on_readable(TcpConnection& connection) override;
  void on_drained(TcpConnection& connection) override;
  void on_closed(TcpConnection& connection) override;

  void read_utf8(TcpConnection& connection, Client& client);
  void read_encoded(TcpConnection& connection, Client& client);
  bool is_over(TcpConnection& connection, Client& client, ReadStatus status);
  std::string_view index(TcpConnection& connection, Client& client, std::string_view text,
                         bool in_slab);
  void add_line(TcpConnection& connection, Client& client, std::string_view line);
  void add_copy(TcpConnection& connection, Client& client, std::string_view line);
  void refuse_line(TcpConnection& connection, Client& client);
  void end_client(TcpConnection& connection, Client& client);
  static void cut_off_client(TcpConnection& connection, Client& client);
  void end_turn();
  void put_drafts();
  void put(Draft& draft);
  static void answer(const std::vector<Owed>& owed, const Result<>& result);
  static void send_answers(TcpConnection& connection, Client& client);

  void halt();
  void halt_for_memory();
  void go_on();
  void wait_for_answers(SteadyTime deadline);
  void close_clients();

  const Config config_;
  const std::string name_;
  EventLoop& loop_;  // These two outlive the source.
  ChannelProcessor& channels_;
  Counter& open_connections_;
  Counter& too_long_;
  BatchSpace space_;
  std::vector<Draft> drafts_;  // Full ones, then the one that is filled.
  std::shared_ptr<Replies> replies_;
  bool halted_ = false;  // The channels take no more: connections are parked when they have data.
  std::vector<std::shared_ptr<TcpConnection>> parked_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // Timers hold it weakly.
  EventLoop::HookId hook_ = 0;
  std::unique_ptr<TcpServer> server_;
};

}  // namespace millrace
