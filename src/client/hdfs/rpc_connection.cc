#include "client/hdfs/rpc_connection.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "client/hdfs/remote_errors.h"

namespace millrace::hdfs {
namespace {

constexpr std::size_t kReadAtOnce = 256 * 1024;  // Room is made as the bytes come.
constexpr std::chrono::seconds kPingPatience{10};

SteadyTime now() {
  return std::chrono::steady_clock::now();
}

Error connection_ended() {
  return closed("the connection was ended");
}

}  // namespace

std::string RpcTarget::address() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

Result<std::shared_ptr<RpcConnection>> RpcConnection::open(const RpcTarget& target,
                                                           const RpcOptions& options,
                                                           SteadyTime deadline,
                                                           const std::atomic<bool>& closed) {
  const Patience patience = Patience{deadline, &closed}.within(options.connect_timeout);
  DataSocket socket = TRY(DataSocket::connect("server", target.host, target.port, patience));
  // Where SASL will stand: between the header, which asks for it, and the context.
  TRY(socket.send_all(
      encode_connection_header() + encode_connection_context(target.user, target.protocol),
      patience));
  return std::shared_ptr<RpcConnection>(new RpcConnection(std::move(socket), options));
}

RpcConnection::RpcConnection(DataSocket socket, const RpcOptions& options)
    : options_(options), socket_(std::move(socket)), reader_([this] { read(); }) {}

RpcConnection::~RpcConnection() {
  fail(connection_ended());
}

Result<RpcAnswer> RpcConnection::call(const RpcCall& call, std::int32_t retry,
                                      SteadyTime deadline) {
  Pending mine;
  {
    const std::lock_guard lock(mutex_);
    if (failure_) {
      return *failure_;
    }
    pending_[call.id] = &mine;
  }
  const Result<> sent = send(encode_call(call, retry), deadline);
  if (!sent.ok()) {
    fail(sent.error());  // A part of it may be out.
  }
  std::unique_lock lock(mutex_);
  mine.ended.wait_until(lock, deadline, [&] { return mine.outcome.has_value(); });
  pending_.erase(call.id);
  if (!mine.outcome) {
    return system_error(fmt::format("{}: no answer", socket_.peer()), ETIMEDOUT);
  }
  return *std::move(mine.outcome);
}

bool RpcConnection::usable() const {
  const std::lock_guard lock(mutex_);
  return !failure_;
}

Result<> RpcConnection::send(const std::string& frame, SteadyTime deadline) {
  std::unique_lock lock(mutex_);
  if (!sent_.wait_until(lock, deadline, [&] { return !sending_; })) {
    return system_error(fmt::format("{}: send", socket_.peer()), ETIMEDOUT);
  }
  sending_ = true;
  lock.unlock();
  Result<> sent = socket_.send_all(frame, {deadline, &ended_});
  lock.lock();
  sending_ = false;
  sent_.notify_one();
  return sent;
}

void RpcConnection::read() {
  for (;;) {
    Result<RpcAnswer> answer = read_answer();
    if (!answer.ok()) {  // Nonsense, too, is a fault of this connection alone.
      return fail(answer.error().fault() == Fault::kCorrupt ? transient(answer.error().message())
                                                            : answer.error());
    }
    if (answer->fault && answer->fault->fatal) {
      return fail(error_of(*answer->fault).with(socket_.peer()));
    }
    give(*std::move(answer));
  }
}

Result<RpcAnswer> RpcConnection::read_answer() {
  char length_bytes[4];
  TRY(fill(length_bytes));
  const std::uint32_t length =
      TRY(ByteReader({length_bytes, sizeof length_bytes}).big<std::uint32_t>());
  if (length > options_.most_answer_bytes) {
    return corrupt(fmt::format(
        "{}: an answer of {} bytes; is this the port of the NameNode's RPC, and not of its pages?",
        socket_.peer(), length));
  }
  std::string frame;
  while (frame.size() < length) {
    const std::size_t had = frame.size();
    frame.resize(std::min<std::size_t>(length, had + kReadAtOnce));
    TRY(fill(std::span(frame).subspan(had)));
  }
  return decode_answer_frame(frame).with(socket_.peer());
}

Result<> RpcConnection::fill(std::span<char> space) {
  while (!space.empty()) {
    const std::size_t count = TRY(socket_.receive_some(space));
    space = space.subspan(count);
    if (count > 0) {
      continue;
    }
    const Patience patience{SteadyTime::max(), &ended_};
    const Result<> waited = socket_.wait(false, patience.within(options_.ping_interval));
    if (waited.ok()) {
      continue;
    }
    if (waited.error().error_number() != ETIMEDOUT) {
      return waited.error();
    }
    TRY(ping_if_awaited());
  }
  return {};
}

// A peer that is gone does not take it, which ends the calls that wait for its answers.
Result<> RpcConnection::ping_if_awaited() {
  {
    const std::lock_guard lock(mutex_);
    if (pending_.empty()) {
      return {};
    }
  }
  return send(encode_ping(), now() + kPingPatience);
}

// Nobody waits for it any more where its call has timed out.
void RpcConnection::give(RpcAnswer answer) {
  const std::lock_guard lock(mutex_);
  const auto found = pending_.find(answer.call_id);
  if (found != pending_.end()) {
    found->second->outcome = std::move(answer);
    found->second->ended.notify_one();
  }
}

void RpcConnection::fail(const Error& why) {
  const std::lock_guard lock(mutex_);
  if (!failure_) {
    failure_ = why;
  }
  ended_ = true;
  socket_.shut_down();  // The reader may wait.
  for (const auto& [id, call] : pending_) {
    if (!call->outcome) {
      call->outcome = *failure_;
      call->ended.notify_one();
    }
  }
}

}  // namespace millrace::hdfs
