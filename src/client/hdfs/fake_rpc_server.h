// For tests: a server of Hadoop's RPC on loopback that answers as the test says.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "io/descriptor.h"

namespace millrace::hdfs {

struct ServedCall {
  int connection = 0;  // 0 for the first one.
  std::int32_t id = 0;
  std::string client_id;
  std::int32_t retry = 0;
  std::string method;
  std::string request;  // The message, as bytes.
};

// One connection, from the server's side. Threads: any.
class RpcPeer {
 public:
  explicit RpcPeer(Descriptor socket) : socket_(std::move(socket)) {}

  void answer(std::int32_t call_id, std::string_view message);
  void fault(std::int32_t call_id, const std::string& class_name, const std::string& message);
  // Of the connection: "unauthorized" and the like.
  void fatal(std::int32_t detail, const std::string& class_name, const std::string& message);
  void send_raw(std::string_view bytes);
  void hang_up();

  int descriptor() const { return socket_.get(); }

 private:
  std::mutex mutex_;  // One frame at a time.
  Descriptor socket_;
};

// Runs `handler` for each call, on the connection's thread. Threads: any.
class FakeRpcServer {
 public:
  using Handler = std::function<void(const ServedCall&, RpcPeer&)>;
  // Port 0: a free one.
  explicit FakeRpcServer(Handler handler, std::uint16_t port = 0);
  FakeRpcServer(const FakeRpcServer&) = delete;
  FakeRpcServer& operator=(const FakeRpcServer&) = delete;
  ~FakeRpcServer();

  std::uint16_t port() const { return port_; }
  std::vector<ServedCall> calls() const;  // So far, without their requests' end.
  std::string user() const;               // Of the last connection.
  int pings() const { return pings_; }
  int connections() const;

 private:
  void accept(const std::stop_token& stop);
  void serve(RpcPeer& peer, int number, const std::stop_token& stop);
  void take(std::string_view frame, RpcPeer& peer, int number);

  const Handler handler_;
  Descriptor listening_;
  std::uint16_t port_;
  std::atomic<int> pings_{0};
  mutable std::mutex mutex_;  // Guards what follows.
  std::vector<ServedCall> calls_;
  std::string user_;
  std::list<RpcPeer> peers_;
  std::vector<std::jthread> threads_;
  std::jthread acceptor_;
};

}  // namespace millrace::hdfs
