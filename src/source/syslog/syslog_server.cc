#include "source/syslog/syslog_server.h"

#include <algorithm>
#include <cstring>

#include "base/log.h"

namespace millrace {
namespace {

// Where a slab has less room than this, a fresh one is taken: smaller reads cost more.
constexpr std::size_t kLeastRead = 64 * 1024;

}  // namespace

SyslogServer::SyslogServer(SyslogServerOptions options, SourceContext context)
    : options_(std::move(options)),
      context_(std::move(context)),
      component_("source " + context_.name),
      loop_(context_.services.loop),
      open_connections_(context_.metrics.counter("OpenConnectionCount", MetricKind::kGauge)),
      invalid_events_(context_.metrics.counter("InvalidEventCount")),
      incomplete_events_(context_.metrics.counter("IncompleteEventCount")),
      processing_failures_(context_.metrics.counter("GenericProcessingFail")),
      framer_(options_.event_size, options_.takes_counts),
      indexer_(options_.dialect),
      space_(context_.services.slabs, &context_.memory),
      builder_(space_),
      gate_(loop_, context_.channels) {}

SyslogServer::~SyslogServer() {
  stop(SteadyTime{});
}

void SyslogServer::start() {
  loop_.run_and_wait([this] {
    context_.channels.attach(loop_, WhenRefused::kWait);
    gate_.enter();
    hook_ = loop_.add_turn_hook([this] { end_turn(); });
  });
  running_ = true;
}

Result<> SyslogServer::listen(std::uint16_t port) {
  TcpServerOptions options;
  options.component = component_;
  options.host = options_.host;
  options.port = port;
  options.tls = options_.tls;
  servers_.push_back(TRY(TcpServer::listen(loop_, std::move(options), *this)));
  return {};
}

std::vector<std::uint16_t> SyslogServer::ports() const {
  std::vector<std::uint16_t> ports;
  for (const auto& server : servers_) {
    ports.push_back(server->port());
  }
  return ports;
}

void SyslogServer::stop(SteadyTime deadline) {
  if (!running_) {
    return;
  }
  drain(deadline);
  loop_.run_and_wait([this] { leave_loop(); });
  settle_puts(loop_, context_.channels, deadline);
  running_ = false;
}

// All ports stop accepting before the first one is waited for; a port without clients is not waited
// for at all.
void SyslogServer::drain(SteadyTime deadline) {
  for (const auto& server : servers_) {
    server->stop_accepting();
  }
  for (const auto& server : servers_) {
    if (server->open_connections() > 0) {
      server->drain(deadline);
    }
  }
}

// Takes in the tails, closes the connections and hands on the last batch.
void SyslogServer::leave_loop() {
  gate_.leave();
  servers_.clear();
  loop_.remove_turn_hook(hook_);
  end_turn();
}

SyslogOrigin SyslogServer::origin_of(TcpConnection& connection) const {
  SyslogOrigin origin;
  if (!options_.port_header.empty()) {
    origin.add_header(options_.port_header, std::to_string(connection.local_port()));
  }
  origin.add_client(options_.client_ip_header, options_.client_hostname_header,
                    connection.peer().address);
  const auto charset = options_.port_charsets.find(connection.local_port());
  // Was tried when the configuration was checked.
  static_cast<void>(origin.set_charset(charset == options_.port_charsets.end() ? options_.charset
                                                                               : charset->second));
  return origin;
}

void SyslogServer::on_open(TcpConnection& connection) {
  auto client = std::make_unique<Client>();
  client->origin = origin_of(connection);
  connection.set_state(std::move(client));
  open_connections_.add();
}

void SyslogServer::on_readable(TcpConnection& connection) {
  if (gate_.closed()) {
    gate_.park(connection);
    return;
  }
  auto& client = connection.state<Client>();
  const std::string& tail = client.tail;
  const std::span<char> room = space_.bodies.room(tail.size() + kLeastRead);
  if (room.empty()) {
    gate_.close_for_memory();
    gate_.park(connection);
    return;
  }
  const ReadOutcome outcome = connection.read(room.subspan(tail.size()));
  switch (outcome.status) {
    case ReadStatus::kBytes:
      loop_.count_read(outcome.bytes, options_.turn_pause);
      std::memcpy(room.data(), tail.data(), tail.size());
      index(client, {room.data(), tail.size() + outcome.bytes});
      break;
    case ReadStatus::kWouldBlock:
      break;
    case ReadStatus::kError:
      processing_failures_.add();
      log_debug(component_, "connection from {} broke: {}", connection.peer().address,
                connection.last_error());
      connection.close();
      break;
    case ReadStatus::kEnd:
      connection.close();
      break;
  }
}

void SyslogServer::on_closed(TcpConnection& connection) {
  open_connections_.subtract();
  end_stream(connection.state<Client>());
}

// Makes events of the whole messages of `bytes`, the front of the room asked for last; the rest
// becomes the client's tail.
void SyslogServer::index(Client& client, std::string_view bytes) {
  indexer_.start_read(client.origin, context_.services.clock.wall_ms());
  const SlabPtr slab = space_.bodies.slab();
  std::string_view rest = bytes;
  const char* kept = bytes.data();
  const auto keep = [&] {
    builder_.keep_bytes(slab, {kept, static_cast<std::size_t>(rest.data() - kept)});
    kept = rest.data();
  };
  bool taken = false;
  for (FramedLine line; framer_.next(rest, line, client.due);) {
    indexer_.add(builder_, line);
    if (builder_.size() >= options_.batch_size) {
      keep();
      if (!taken) {  // Interceptors may write into the slab, behind all that was read.
        space_.bodies.take(bytes.size());
        taken = true;
      }
      put();
    }
  }
  keep();
  if (!taken) {
    space_.bodies.take(bytes.size() - rest.size());
  }
  client.tail.assign(rest);
  count_bad();
}

void SyslogServer::count_bad() {
  const SyslogIndexer::Counts counts = indexer_.take_counts();
  if (counts.invalid + counts.incomplete > 0) {
    invalid_events_.add(counts.invalid);
    incomplete_events_.add(counts.incomplete);
  }
}

// The last message of a connection that ends without a newline, or before all of it came.
void SyslogServer::end_stream(Client& client) {
  if (client.tail.empty()) {
    return;
  }
  indexer_.start_read(client.origin, context_.services.clock.wall_ms());
  indexer_.add(builder_, SyslogFramer::last(builder_.store_read_body(client.tail), client.due));
  client.tail.clear();
  count_bad();
  if (builder_.size() >= options_.batch_size) {
    put();
  }
}

void SyslogServer::put() {
  context_.channels.put(builder_);
  indexer_.start_batch();
  if (!context_.channels.ready()) {
    gate_.close_for_channels();
  }
}

void SyslogServer::end_turn() {
  if (!builder_.empty()) {
    put();
  }
}

}  // namespace millrace
