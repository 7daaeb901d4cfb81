// What tests of TCP servers and their connections share: a handler that collects what it is sent.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/event_loop.h"
#include "io/tcp_server.h"
#include "io/tcp_test_client.h"

namespace millrace {

// Collects what every connection sends; answers with `answer` for each read.
class Collector final : public TcpHandler {
 public:
  void on_open(TcpConnection& connection) override {
    ++opened;
    const std::lock_guard lock(mutex_);
    peers_.push_back(connection.peer().address);
    latest_ = connection.shared_from_this();
  }
  void on_readable(TcpConnection& connection) override {
    const ReadOutcome outcome = connection.read(space_);
    if (outcome.status == ReadStatus::kBytes) {
      const std::lock_guard lock(mutex_);
      text_.append(space_, outcome.bytes);
      if (!answer.empty()) {
        connection.write(answer);
      }
    } else if (outcome.status == ReadStatus::kEnd) {
      ++ends;
      connection.finish();
    } else if (outcome.status == ReadStatus::kError) {
      ++errors;
      connection.close();
    }
  }
  void on_drained(TcpConnection&) override { ++drained; }
  void on_closed(TcpConnection&) override { ++closed; }

  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  std::size_t size() {
    const std::lock_guard lock(mutex_);
    return text_.size();
  }
  std::vector<std::string> peers() {
    const std::lock_guard lock(mutex_);
    return peers_;
  }
  std::shared_ptr<TcpConnection> latest() {
    const std::lock_guard lock(mutex_);
    return latest_;
  }

  std::string answer{};
  std::atomic<int> opened{0};
  std::atomic<int> ends{0};
  std::atomic<int> errors{0};
  std::atomic<int> drained{0};
  std::atomic<int> closed{0};

 private:
  std::mutex mutex_;  // Guards the rest.
  std::string text_;
  std::vector<std::string> peers_;
  std::shared_ptr<TcpConnection> latest_;
  char space_[64 * 1024];
};

class TcpServerFixture : public testing::Test {
 protected:
  std::unique_ptr<TcpServer> listen(std::string host = "127.0.0.1", std::uint16_t port = 0) {
    auto server = TcpServer::listen(
        loop_, {.component = "test", .host = std::move(host), .port = port}, collector_);
    EXPECT_TRUE(server.ok()) << server.error().message();
    return server.ok() ? std::move(server).value() : nullptr;
  }

  // Waits for it; null when none comes.
  std::shared_ptr<TcpConnection> first_connection() {
    return wait_until([&] { return collector_.opened == 1; }) ? collector_.latest() : nullptr;
  }

  EventLoop loop_{"test"};
  Collector collector_;
};

}  // namespace millrace
