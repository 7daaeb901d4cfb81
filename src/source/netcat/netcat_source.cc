#include "source/netcat/netcat_source.h"

#include <array>
#include <cstring>
#include <thread>
#include <utility>

#include "base/log.h"
#include "core/registry.h"
#include "source/netcat/java_length.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLeastRead = 16 * 1024;  // Bytes that a read asks for at least.
constexpr auto kLastAnswers = 300ms;           // At stop: for clients to take what they are owed.
constexpr auto kPoll = 1ms;

}  // namespace

NetcatSource::NetcatSource(Config config, SourceContext context)
    : config_(std::move(config)),
      name_("source " + context.name),
      loop_(context.services.loop),
      channels_(context.channels),
      open_connections_(context.metrics.counter("OpenConnectionCount", MetricKind::kGauge)),
      too_long_(context.metrics.counter("EventReadFail")),
      batches_(context.services.slabs, context.memory),
      gate_(loop_, channels_) {}

NetcatSource::~NetcatSource() {
  stop(SteadyTime{});
}

Result<> NetcatSource::start() {
  if (server_) {
    return {};
  }
  replies_ = TRY(Replies::make(config_));
  loop_.run_and_wait([this] {
    channels_.attach(loop_, WhenRefused::kAnswer);
    gate_.enter();
    hook_ = loop_.add_turn_hook([this] { end_turn(); });
  });
  auto server = TcpServer::listen(
      loop_, {.component = name_, .host = config_.bind, .port = config_.port}, *this);
  if (!server.ok()) {
    loop_.run_and_wait([this] { loop_.remove_turn_hook(hook_); });
    return std::move(server).error();
  }
  server_ = std::move(server).value();
  log_info(name_, "listens on {}:{}", config_.bind, server_->port());
  return {};
}

void NetcatSource::stop(SteadyTime deadline) {
  if (!server_) {
    return;
  }
  server_->drain(deadline);
  server_->for_each([](TcpConnection& connection) { connection.state<NetcatClient>().end(); });
  loop_.run_and_wait([this] { batches_.put(channels_); });
  settle_puts(loop_, channels_, deadline);
  close_clients();
  server_.reset();
  loop_.run_and_wait([this] {
    loop_.remove_turn_hook(hook_);
    gate_.leave();
  });
}

// Lets the answers leave. A client that sends on is not waited for.
void NetcatSource::close_clients() {
  server_->for_each([](TcpConnection& connection) { connection.finish(kLastAnswers); });
  const auto end = std::chrono::steady_clock::now() + kLastAnswers;
  while (server_->open_connections() > 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kPoll);
  }
}

void NetcatSource::on_open(TcpConnection& connection) {
  open_connections_.add();
  std::unique_ptr<StreamDecoder> decoder;
  if (!is_utf8(config_.encoding)) {
    auto made = StreamDecoder::make(config_.encoding);
    if (!made.ok()) {
      connection.close();
      return;
    }
    decoder = std::move(made).value();
  }
  connection.set_state(std::make_unique<NetcatClient>(connection, replies_, std::move(decoder)));
}

void NetcatSource::on_closed(TcpConnection&) {
  open_connections_.subtract();
}

void NetcatSource::on_readable(TcpConnection& connection) {
  auto& client = connection.state<NetcatClient>();
  if (client.over()) {
    connection.pause_reading();
  } else if (gate_.closed()) {
    gate_.park(connection);
  } else if (batches_.bodies().room(client.tail().size() + kLeastRead).empty()) {
    gate_.close_for_memory();
    gate_.park(connection);
  } else if (client.decoder() != nullptr) {
    read_encoded(connection, client);
  } else {
    read_utf8(connection, client);
  }
}

void NetcatSource::read_utf8(TcpConnection& connection, NetcatClient& client) {
  const std::size_t torn = client.tail().size();
  const std::span<char> room = batches_.bodies().room(torn + kLeastRead);
  const ReadOutcome outcome = connection.read(room.subspan(torn));
  if (is_over(connection, client, outcome.status)) {
    return;
  }
  std::memcpy(room.data(), client.tail().data(), torn);
  const std::string_view text(room.data(), torn + outcome.bytes);
  // All of it, the torn tail too: an interceptor may write behind while batches are put.
  batches_.bodies().take(text.size());
  client.tail().assign(index(client, text, true));
}

void NetcatSource::read_encoded(TcpConnection& connection, NetcatClient& client) {
  std::array<char, kLeastRead> bytes;
  const ReadOutcome outcome = connection.read(bytes);
  if (is_over(connection, client, outcome.status)) {
    return;
  }
  client.decoder()->append({bytes.data(), outcome.bytes}, client.tail());
  const std::string text = std::move(client.tail());
  client.tail().assign(index(client, text, false));
}

// Handles everything but bytes.
bool NetcatSource::is_over(TcpConnection& connection, NetcatClient& client, ReadStatus status) {
  switch (status) {
    case ReadStatus::kBytes:
      loop_.count_read(0, std::chrono::microseconds::zero());  // Clients wait for answers.
      return false;
    case ReadStatus::kWouldBlock:
      return true;
    case ReadStatus::kEnd:
      end_client(client);
      return true;
    case ReadStatus::kError:
      log_debug(name_, "connection of {} broke: {}", connection.peer().address,
                connection.last_error());
      client.end();
      connection.close();
      return true;
  }
  return true;
}

// Makes events of the whole lines of `text`; what is left is returned. `in_slab`: the bytes lie in
// the current slab of bodies, and stay there.
std::string_view NetcatSource::index(NetcatClient& client, std::string_view text, bool in_slab) {
  while (!client.over()) {
    const std::size_t length = text.find('\n');
    const std::string_view line = text.substr(0, length);
    if (is_longer_than(line, config_.max_line_length - 1)) {
      too_long_.add();
      client.refuse_line();
      break;
    }
    if (length == std::string_view::npos) {
      break;
    }
    if (in_slab) {
      batches_.add(client, text.substr(0, length + 1));
    } else {
      batches_.add_copy(client, line);
    }
    text.remove_prefix(length + 1);
  }
  batches_.keep_run();
  return client.over() ? std::string_view() : text;
}

// The client sends no more. A last line without a newline is one too.
void NetcatSource::end_client(NetcatClient& client) {
  if (client.over()) {
    return;
  }
  if (client.decoder() != nullptr) {
    client.decoder()->finish(client.tail());
  }
  if (!client.tail().empty()) {
    batches_.add_copy(client, std::exchange(client.tail(), {}));
  }
  client.end();
}

void NetcatSource::end_turn() {
  batches_.put(channels_);
  if (!channels_.ready()) {
    gate_.close_for_channels();
  }
}

void NetcatSource::on_drained(TcpConnection& connection) {
  if (!connection.state<NetcatClient>().over()) {
    connection.resume_reading();  // Parks itself again where the channels are not ready.
  }
}

const RegisterSource<NetcatSource> entry{
    "netcat", "org.apache.flume.source.NetcatSource",
    "Receives lines over TCP and answers each one once the channels have committed it."};

}  // namespace millrace
