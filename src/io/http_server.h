// A small HTTP/1.1 server for monitoring pages: whole requests in, whole responses out.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/event_loop.h"

namespace millrace {

struct HttpRequest {
  std::string method;                          // As sent: "GET".
  std::string path;                            // Of the target, up to '?'. Not decoded.
  std::string query;                           // Behind '?'.
  std::map<std::string, std::string> headers;  // Names in lower case; repeated ones are joined.
  std::string body;

  // Empty when it was not sent. `name` in lower case.
  const std::string& header(const std::string& name) const;
};

struct HttpResponse {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};  // Further ones.
};

struct HttpServerOptions {
  std::string component;                      // For the log: "monitoring".
  std::string host = "127.0.0.1";             // Empty: every address.
  std::uint16_t port = 0;                     // 0: any free one, see HttpServer::port().
  std::uint32_t header_limit = 16 * 1024;     // Bytes; more is answered 431.
  std::uint64_t body_limit = 1024 * 1024;     // Bytes; more is answered 413.
  std::chrono::milliseconds timeout{30'000};  // For a request to come, a response to leave.
  std::size_t connection_limit = 256;         // More are closed at once.
};

// Runs on the loop, a request of a connection at a time. Must not block.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

// Threads: listen(), port() and the destructor on the control thread or the loop's; the handler
// runs on the loop's, and no more once the destructor has returned.
class HttpServer {
 public:
  // kTransient when the port is in use, kConfig when it is not for us.
  static Result<std::unique_ptr<HttpServer>> listen(EventLoop& loop, HttpServerOptions options,
                                                    HttpHandler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;

 private:
  struct State;
  struct Session;
  explicit HttpServer(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace millrace
