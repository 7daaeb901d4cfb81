#include "client/hdfs/fake_rpc_server.h"

#include <google/protobuf/io/coded_stream.h>
#include <poll.h>
#include <sys/socket.h>

#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "client/hdfs/proto/rpc.pb.h"
#include "io/sockets.h"

namespace millrace::hdfs {
namespace {

constexpr int kLookUpMs = 20;  // How soon a thread sees that it is to stop.
constexpr std::uint32_t kNoCall = 0xffffffff;

std::string delimited(const std::string& message) {
  google::protobuf::uint8 length[5];
  const auto* end = google::protobuf::io::CodedOutputStream::WriteVarint32ToArray(
      static_cast<std::uint32_t>(message.size()), length);
  return std::string(reinterpret_cast<const char*>(length),
                     static_cast<std::size_t>(end - length)) +
         message;
}

std::string take_delimited(google::protobuf::io::CodedInputStream& in) {
  std::uint32_t length = 0;
  std::string message;
  CHECK(in.ReadVarint32(&length) && in.ReadString(&message, static_cast<int>(length)));
  return message;
}

std::string framed(const std::string& body) {
  std::string frame;
  for (int shift = 24; shift >= 0; shift -= 8) {
    frame.push_back(static_cast<char>(body.size() >> shift));
  }
  return frame + body;
}

bool can_read(int descriptor, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    pollfd waiting{descriptor, POLLIN, 0};
    if (::poll(&waiting, 1, kLookUpMs) == 1) {
      return true;
    }
  }
  return false;
}

// Nothing when the peer is gone or the server stops.
std::optional<std::string> receive(int descriptor, std::size_t size, const std::stop_token& stop) {
  std::string bytes(size, '\0');
  std::size_t got = 0;
  while (got < size && can_read(descriptor, stop)) {
    const ssize_t count = ::recv(descriptor, bytes.data() + got, size - got, 0);
    if (count <= 0) {
      return std::nullopt;
    }
    got += static_cast<std::size_t>(count);
  }
  return got == size ? std::optional(bytes) : std::nullopt;
}

}  // namespace

void RpcPeer::answer(std::int32_t call_id, std::string_view message) {
  proto::RpcResponseHeader header;
  header.set_call_id(static_cast<std::uint32_t>(call_id));
  header.set_status(proto::RpcResponseHeader::SUCCESS);
  send_raw(framed(delimited(header.SerializeAsString()) + delimited(std::string(message))));
}

void RpcPeer::fault(std::int32_t call_id, const std::string& class_name,
                    const std::string& message) {
  proto::RpcResponseHeader header;
  header.set_call_id(static_cast<std::uint32_t>(call_id));
  header.set_status(proto::RpcResponseHeader::ERROR);
  header.set_exception_class_name(class_name);
  header.set_error_msg(message);
  send_raw(framed(delimited(header.SerializeAsString())));
}

void RpcPeer::fatal(std::int32_t detail, const std::string& class_name,
                    const std::string& message) {
  proto::RpcResponseHeader header;
  header.set_call_id(kNoCall);
  header.set_status(proto::RpcResponseHeader::FATAL);
  header.set_error_detail(static_cast<proto::RpcResponseHeader::RpcErrorCode>(detail));
  header.set_exception_class_name(class_name);
  header.set_error_msg(message);
  send_raw(framed(delimited(header.SerializeAsString())));
  hang_up();
}

void RpcPeer::send_raw(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) {
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void RpcPeer::hang_up() {
  ::shutdown(socket_.get(), SHUT_RDWR);
}

FakeRpcServer::FakeRpcServer(Handler handler, std::uint16_t port)
    : handler_(std::move(handler)), listening_(listen_on("127.0.0.1", port, 0).value()) {
  port_ = local_port_of(listening_.get());
  acceptor_ = std::jthread([this](const std::stop_token& stop) { accept(stop); });
}

FakeRpcServer::~FakeRpcServer() {
  acceptor_ = {};
  for (RpcPeer& peer : peers_) {
    peer.hang_up();
  }
  threads_.clear();
}

std::vector<ServedCall> FakeRpcServer::calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

std::string FakeRpcServer::user() const {
  const std::lock_guard lock(mutex_);
  return user_;
}

int FakeRpcServer::connections() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(peers_.size());
}

void FakeRpcServer::accept(const std::stop_token& stop) {
  while (can_read(listening_.get(), stop)) {
    Descriptor socket(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket) {
      continue;
    }
    const std::lock_guard lock(mutex_);
    RpcPeer& peer = peers_.emplace_back(std::move(socket));
    const int number = static_cast<int>(peers_.size()) - 1;
    threads_.emplace_back(
        [this, &peer, number](const std::stop_token& s) { serve(peer, number, s); });
  }
}

void FakeRpcServer::serve(RpcPeer& peer, int number, const std::stop_token& stop) {
  if (receive(peer.descriptor(), 7, stop) != std::string("hrpc\x09\0\0", 7)) {
    return peer.hang_up();
  }
  for (;;) {
    const auto length = receive(peer.descriptor(), 4, stop);
    if (!length) {
      return;
    }
    const auto frame =
        receive(peer.descriptor(), ByteReader(*length).big<std::uint32_t>().value(), stop);
    if (!frame) {
      return;
    }
    take(*frame, peer, number);
  }
}

void FakeRpcServer::take(std::string_view frame, RpcPeer& peer, int number) {
  google::protobuf::io::CodedInputStream in(
      reinterpret_cast<const google::protobuf::uint8*>(frame.data()),
      static_cast<int>(frame.size()));
  proto::RpcRequestHeader header;
  CHECK(header.ParseFromString(take_delimited(in)));
  if (header.call_id() == -4) {
    ++pings_;
    return;
  }
  if (header.call_id() == -3) {
    proto::IpcConnectionContext context;
    CHECK(context.ParseFromString(take_delimited(in)));
    const std::lock_guard lock(mutex_);
    user_ = context.user_info().effective_user();
    return;
  }
  proto::RequestHeader method;
  CHECK(method.ParseFromString(take_delimited(in)));
  const ServedCall call{number,
                        header.call_id(),
                        header.client_id(),
                        header.retry_count(),
                        method.method_name(),
                        take_delimited(in)};
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
  }
  handler_(call, peer);
}

}  // namespace millrace::hdfs
