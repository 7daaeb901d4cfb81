// The netcat source (Flume 1.11, class NetcatSource): lines over TCP, each one answered.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/channel_processor.h"
#include "core/component.h"
#include "core/source.h"
#include "io/tcp_server.h"
#include "source/loop_source.h"
#include "source/netcat/client.h"
#include "source/netcat/line_batches.h"
#include "source/netcat/netcat_config.h"

namespace millrace {

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
  void on_open(TcpConnection& connection) override;
  void on_readable(TcpConnection& connection) override;
  void on_drained(TcpConnection& connection) override;
  void on_closed(TcpConnection& connection) override;

  void read_utf8(TcpConnection& connection, NetcatClient& client);
  void read_encoded(TcpConnection& connection, NetcatClient& client);
  bool is_over(TcpConnection& connection, NetcatClient& client, ReadStatus status);
  std::string_view index(NetcatClient& client, std::string_view text, bool in_slab);
  void end_client(NetcatClient& client);
  void end_turn();
  void close_clients();

  const Config config_;
  const std::string name_;
  EventLoop& loop_;  // These two outlive the source.
  ChannelProcessor& channels_;
  Counter& open_connections_;
  Counter& too_long_;
  LineBatches batches_;
  ReadGate gate_;
  std::shared_ptr<Replies> replies_;
  EventLoop::HookId hook_ = 0;
  std::unique_ptr<TcpServer> server_;
};

}  // namespace millrace
