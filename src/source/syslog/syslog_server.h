// The TCP side of the syslog sources: connections read in turn into one slab, their lines made
// events, events of one turn made a batch.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/channel_processor.h"
#include "core/component.h"
#include "io/event_loop.h"
#include "io/tcp_server.h"
#include "source/loop_source.h"
#include "source/syslog/syslog_framer.h"
#include "source/syslog/syslog_indexer.h"

namespace millrace {

class TlsContext;

struct SyslogServerOptions {
  std::string host = "0.0.0.0";
  SyslogDialect dialect;
  std::size_t event_size = 2500;  // Longest message, in bytes.
  bool takes_counts = true;       // Of octets, in front of messages; else lines alone.
  std::size_t batch_size = 1000;  // Most events of one put.
  std::chrono::milliseconds turn_pause{1};
  std::string port_header;  // Names of headers; empty: not added.
  std::string client_ip_header;
  std::string client_hostname_header;
  std::string charset = "UTF-8";
  std::map<std::uint16_t, std::string> port_charsets;
  std::shared_ptr<const TlsContext> tls;  // Null: plain text.
};

// A message is one event, in the order of its connection. What a client sent without a newline
// before it closed is an event too; it is Incomplete when its count announced more. A batch is put
// at the end of the loop's turn, or when it is full. While the channels take no more, or the memory
// for events is spent, connections that have something are not read: TCP stops their clients.
//
// Repeats: none. Losses: what lies in the sockets when the agent is killed, or when stop()'s
// deadline passes: syslog over TCP has no acknowledgement.
// Threads: start(), stop() and listen() on the control thread, the rest on the loop's.
class SyslogServer final : public TcpHandler {
 public:
  SyslogServer(SyslogServerOptions options, SourceContext context);
  ~SyslogServer() override;

  // Before listen(): joins the loop.
  void start();
  Result<> listen(std::uint16_t port);
  // Stops accepting, reads what the sockets hold until `deadline`, waits for the channels' answers
  // until then, and closes everything. Idempotent.
  void stop(SteadyTime deadline);

  std::vector<std::uint16_t> ports() const;

  void on_open(TcpConnection& connection) override;
  void on_readable(TcpConnection& connection) override;
  void on_closed(TcpConnection& connection) override;

 private:
  struct Client : TcpConnection::State {
    SyslogOrigin origin;
    std::string tail;     // Of a message that is not whole yet; shorter than event_size.
    std::size_t due = 0;  // Bytes that its count announces, of which the tail holds some.
  };

  SyslogOrigin origin_of(TcpConnection& connection) const;
  void index(Client& client, std::string_view bytes);
  void end_stream(Client& client);
  void count_bad();
  void put();
  void end_turn();
  void leave_loop();
  void drain(SteadyTime deadline);

  const SyslogServerOptions options_;
  SourceContext context_;
  const std::string component_;  // For the log.
  EventLoop& loop_;
  Counter& open_connections_;
  Counter& invalid_events_;
  Counter& incomplete_events_;
  Counter& processing_failures_;

  const SyslogFramer framer_;
  SyslogIndexer indexer_;
  BatchSpace space_;
  EventBatch::Builder builder_;
  ReadGate gate_;
  EventLoop::HookId hook_ = 0;
  bool running_ = false;
  std::vector<std::unique_ptr<TcpServer>> servers_;  // Control thread.
};

}  // namespace millrace
