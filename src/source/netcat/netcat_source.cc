#include "source/netcat/netcat_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "base/log.h"
#include "core/registry.h"
#include "source/charset.h"
#include "source/netcat/stream_decoder.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBatchEvents = 1000;
constexpr std::size_t kLeastRead = 16 * 1024;  // Bytes that a read asks for at least.
constexpr auto kMemoryRetry = 10ms;            // While the budget of events in flight is spent.
constexpr auto kLastAnswers = 300ms;           // At stop: for clients to take what they are owed.
constexpr auto kPoll = 1ms;

// Java's characters (UTF-16 units) of UTF-8 text: those outside the first plane count twice. Bytes
// that are no UTF-8 count like Java's replacements of them.
bool is_longer_than(std::string_view text, std::size_t characters) {
  if (text.size() <= characters) {
    return false;
  }
  if (text.size() > characters * 4) {
    return true;
  }
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    count += (byte & 0xC0) != 0x80 ? (byte >= 0xF0 ? 2 : 1) : 0;
  }
  return count > characters;
}

// Java's name of an encoding whose byte order is not given stands for the big-endian one.
std::string reply_encoding(const std::string& encoding) {
  const std::string upper = [&] {
    std::string text = encoding;
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
  }();
  return upper == "UTF-16" || upper == "UTF-32" ? upper + "BE" : encoding;
}

}  // namespace

// The texts of answers. Shared by the puts under way, which may outlive the source.
class NetcatSource::Replies {
 public:
  static Result<std::shared_ptr<Replies>> make(const NetcatConfig& config) {
    auto replies = std::make_shared<Replies>();
    replies->acknowledge_ = config.ack_every_event;
    if (!is_utf8(config.encoding)) {
      replies->encoder_ = TRY(TextConverter::make("UTF-8", reply_encoding(config.encoding)));
    }
    return replies;
  }

  // The answer to each of `lines` lines.
  std::string text(const Result<>& result, std::size_t lines) {
    if (result.ok() && !acknowledge_) {
      return {};
    }
    const std::string one =
        encode(result.ok() ? "OK\n" : fmt::format("FAILED: {}\n", result.error().message()));
    std::string all;
    all.reserve(one.size() * lines);
    for (std::size_t i = 0; i < lines; ++i) {
      all += one;
    }
    return all;
  }
  std::string encode(const std::string& text) {
    if (!encoder_) {
      return text;
    }
    const auto encoded = encoder_->convert(text);
    return encoded ? std::string(*encoded) : text;
  }

 private:
  bool acknowledge_ = true;
  std::optional<TextConverter> encoder_;  // Nothing: UTF-8.
};

struct NetcatSource::Client final : TcpConnection::State {
  std::shared_ptr<Replies> replies;
  std::unique_ptr<StreamDecoder> decoder;  // Null: UTF-8, taken as it is.
  std::string tail;                        // A line whose end is still to come, in UTF-8.
  AnswerQueue answers;
  bool over = false;  // Nothing of it is read any more; it is finished when all is answered.
};

void NetcatConfig::check(ConfigCheck& check) const {
  const auto converter = TextConverter::make(encoding, "UTF-8");
  if (!is_utf8(encoding) && !converter.ok()) {
    check.fault("encoding", converter.error().message());
  }
}

NetcatSource::NetcatSource(Config config, SourceContext context)
    : config_(std::move(config)),
      name_("source " + context.name),
      loop_(context.services.loop),
      channels_(context.channels),
      open_connections_(context.metrics.counter("OpenConnectionCount", MetricKind::kGauge)),
      too_long_(context.metrics.counter("EventReadFail")),
      space_(context.services.slabs) {}

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
    halted_ = false;
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
  server_->for_each(
      [](TcpConnection& connection) { cut_off_client(connection, connection.state<Client>()); });
  loop_.run_and_wait([this] { put_drafts(); });
  wait_for_answers(deadline);
  loop_.run_and_wait([this] { channels_.give_up(); });
  close_clients();
  server_.reset();
  loop_.run_and_wait([this] {
    loop_.remove_turn_hook(hook_);
    parked_.clear();
    alive_ = std::make_shared<bool>(true);
  });
}

void NetcatSource::wait_for_answers(SteadyTime deadline) {
  for (;;) {
    bool answered = false;
    loop_.run_and_wait([&] { answered = channels_.unanswered() == 0; });
    if (answered || std::chrono::steady_clock::now() >= deadline) {
      return;
    }
    std::this_thread::sleep_for(kPoll);
  }
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
  auto client = std::make_unique<Client>();
  client->replies = replies_;
  if (!is_utf8(config_.encoding)) {
    auto decoder = StreamDecoder::make(config_.encoding);
    if (!decoder.ok()) {
      connection.close();
      return;
    }
    client->decoder = std::move(decoder).value();
  }
  connection.set_state(std::move(client));
}

void NetcatSource::on_closed(TcpConnection&) {
  open_connections_.subtract();
}

void NetcatSource::on_readable(TcpConnection& connection) {
  auto& client = connection.state<Client>();
  if (client.over) {
    connection.pause_reading();
  } else if (halted_) {
    connection.pause_reading();
    parked_.push_back(connection.shared_from_this());
  } else if (client.decoder) {
    read_encoded(connection, client);
  } else {
    read_utf8(connection, client);
  }
}

void NetcatSource::read_utf8(TcpConnection& connection, Client& client) {
  const std::size_t torn = client.tail.size();
  const std::span<char> room = space_.bodies.room(torn + kLeastRead);
  if (room.empty()) {
    halt_for_memory();
    on_readable(connection);  // Parks it.
    return;
  }
  const ReadOutcome outcome = connection.read(room.subspan(torn));
  if (is_over(connection, client, outcome.status)) {
    return;
  }
  std::memcpy(room.data(), client.tail.data(), torn);
  const std::string_view text(room.data(), torn + outcome.bytes);
  // All of it, the torn tail too: an interceptor may write behind while batches are put.
  space_.bodies.take(text.size());
  client.tail.assign(index(connection, client, text, true));
}

void NetcatSource::read_encoded(TcpConnection& connection, Client& client) {
  std::array<char, kLeastRead> bytes;
  const ReadOutcome outcome = connection.read(bytes);
  if (is_over(connection, client, outcome.status)) {
    return;
  }
  client.decoder->append({bytes.data(), outcome.bytes}, client.tail);
  const std::string text = std::move(client.tail);
  client.tail.assign(index(connection, client, text, false));
}

// Handles everything but bytes.
bool NetcatSource::is_over(TcpConnection& connection, Client& client, ReadStatus status) {
  switch (status) {
    case ReadStatus::kBytes:
      loop_.count_read(0, std::chrono::microseconds::zero());  // Clients wait for answers.
      return false;
    case ReadStatus::kWouldBlock:
      return true;
    case ReadStatus::kEnd:
      end_client(connection, client);
      return true;
    case ReadStatus::kError:
      log_debug(name_, "connection of {} broke: {}", connection.peer().address,
                connection.last_error());
      cut_off_client(connection, client);
      connection.close();
      return true;
  }
  return true;
}

// Makes events of the whole lines of `text`; what is left is returned. `in_slab`: the bytes lie in
// the current slab of bodies, and stay there.
std::string_view NetcatSource::index(TcpConnection& connection, Client& client,
                                     std::string_view text, bool in_slab) {
  std::string_view run = text.substr(0, 0);  // Lines that the current draft does not keep yet.
  const auto keep_run = [&] {
    if (in_slab && !run.empty()) {
      drafts_.back().builder.keep_body_bytes(run);
    }
  };
  while (!client.over) {
    const std::size_t length = text.find('\n');
    const std::string_view line = text.substr(0, length);
    if (is_longer_than(line, config_.max_line_length - 1)) {
      keep_run();
      refuse_line(connection, client);
      return {};
    }
    if (length == std::string_view::npos) {
      break;
    }
    if (drafts_.empty() || drafts_.back().builder.size() >= kBatchEvents) {
      keep_run();
      run = text.substr(0, 0);
      drafts_.emplace_back(space_);
    }
    if (in_slab) {
      add_line(connection, client, line);
    } else {
      add_copy(connection, client, line);
    }
    run = {run.data(), run.size() + length + 1};
    text.remove_prefix(length + 1);
  }
  keep_run();
  return client.over ? std::string_view() : text;
}

// `line` lies in memory that the last draft keeps.
void NetcatSource::add_line(TcpConnection& connection, Client& client, std::string_view line) {
  Draft& draft = drafts_.back();
  draft.builder.add(line);
  if (draft.owed.empty() || draft.owed.back().connection.get() != &connection) {
    draft.owed.push_back({connection.shared_from_this(), client.answers.owe(), 0});
  }
  ++draft.owed.back().lines;
}

// When the budget is spent the copy goes past it: what was read is not dropped.
void NetcatSource::add_copy(TcpConnection& connection, Client& client, std::string_view line) {
  if (drafts_.empty() || drafts_.back().builder.size() >= kBatchEvents) {
    drafts_.emplace_back(space_);
  }
  EventBatch::Builder& builder = drafts_.back().builder;
  std::string_view copy = builder.store_body(line);
  if (copy.data() == nullptr) {
    copy = builder.store_header_block(line);
    halt_for_memory();
  }
  add_line(connection, client, copy);
}

// Answers behind the lines before it, then closes the connection, as Flume does.
void NetcatSource::refuse_line(TcpConnection& connection, Client& client) {
  too_long_.add();
  client.answers.settle(
      client.answers.owe(),
      client.replies->encode(
          fmt::format("FAILED: Event exceeds the maximum length ({} chars, including newline)\n",
                      config_.max_line_length)));
  client.tail.clear();
  client.over = true;
  connection.pause_reading();
  send_answers(connection, client);
}

// The client sends no more. A last line without a newline is one too.
void NetcatSource::end_client(TcpConnection& connection, Client& client) {
  if (client.over) {
    return;
  }
  if (client.decoder) {
    client.decoder->finish(client.tail);
  }
  if (!client.tail.empty()) {
    add_copy(connection, client, std::exchange(client.tail, {}));
  }
  client.over = true;
  send_answers(connection, client);
}

// We read no more, or cannot. A line whose end did not come is neither stored nor answered: its
// client has no OK for it and sends it again, whole.
void NetcatSource::cut_off_client(TcpConnection& connection, Client& client) {
  client.tail.clear();
  client.over = true;
  send_answers(connection, client);
}

void NetcatSource::end_turn() {
  put_drafts();
  if (!halted_ && !channels_.ready()) {
    halt();
  }
}

void NetcatSource::put_drafts() {
  std::vector<Draft> drafts = std::exchange(drafts_, {});
  for (Draft& draft : drafts) {
    put(draft);
  }
}

void NetcatSource::put(Draft& draft) {
  if (!draft.builder.empty()) {
    channels_.put(draft.builder,
                  [owed = std::move(draft.owed)](const Result<>& result) { answer(owed, result); });
  }
}

// May run after the source is gone: it uses the connections alone.
void NetcatSource::answer(const std::vector<Owed>& owed, const Result<>& result) {
  for (const Owed& each : owed) {
    auto& client = each.connection->state<Client>();
    client.answers.settle(each.ticket, client.replies->text(result, each.lines));
    send_answers(*each.connection, client);
  }
}

void NetcatSource::send_answers(TcpConnection& connection, Client& client) {
  const std::string text = client.answers.take_known();
  if (!text.empty() && !connection.write(text)) {
    connection.pause_reading();  // Until on_drained().
  }
  if (client.over && client.answers.empty()) {
    connection.finish();
  }
}

void NetcatSource::on_drained(TcpConnection& connection) {
  if (!connection.state<Client>().over) {
    connection.resume_reading();  // Parks itself again where the channels are not ready.
  }
}

// Stops reading until the channels take more.
void NetcatSource::halt() {
  halted_ = true;
  channels_.when_ready([this] { go_on(); });
}

void NetcatSource::halt_for_memory() {
  if (halted_) {
    return;
  }
  halted_ = true;
  loop_.post_after(kMemoryRetry, [this, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.lock()) {
      go_on();
    }
  });
}

void NetcatSource::go_on() {
  halted_ = false;
  for (const auto& connection : std::exchange(parked_, {})) {
    const bool choked = connection->unsent() > TcpConnection::kWriteLimit;
    if (!connection->state<Client>().over && !choked) {
      connection->resume_reading();
    }
  }
}

const RegisterSource<NetcatSource> entry{
    "netcat", "org.apache.flume.source.NetcatSource",
    "Receives lines over TCP and answers each one once the channels have committed it."};

}  // namespace millrace
