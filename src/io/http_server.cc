#include "io/http_server.h"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <optional>
#include <unordered_set>

#include "base/log.h"
#include "io/sockets.h"

namespace millrace {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::chrono::milliseconds kAcceptRetry{100};  // After accept() had no descriptor.

HttpRequest request_of(const http::request<http::string_body>& message) {
  HttpRequest request;
  request.method = std::string(message.method_string());
  const std::string target(message.target());
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  request.query = mark == std::string::npos ? "" : target.substr(mark + 1);
  for (const auto& field : message) {
    std::string name(field.name_string());
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string& value = request.headers[name];
    value += (value.empty() ? "" : ", ") + std::string(field.value());
  }
  request.body = message.body();
  return request;
}

// The answer to a request that could not be read; nothing when there is nobody to answer.
std::optional<HttpResponse> refusal(const error_code& error) {
  if (error == http::error::header_limit) {
    return HttpResponse{.status = 431, .body = "The request's head is too long.\n"};
  }
  if (error == http::error::body_limit) {
    return HttpResponse{.status = 413, .body = "The request's body is too long.\n"};
  }
  const bool ours = error.category() == make_error_code(http::error::bad_method).category();
  if (!ours || error == http::error::end_of_stream || error == http::error::partial_message) {
    return std::nullopt;
  }
  return HttpResponse{.status = 400, .body = "Bad request: " + error.message() + "\n"};
}

}  // namespace

const std::string& HttpRequest::header(const std::string& name) const {
  static const std::string nothing;
  const auto found = headers.find(name);
  return found != headers.end() ? found->second : nothing;
}

struct HttpServer::State final : std::enable_shared_from_this<State> {
  State(EventLoop& event_loop, HttpServerOptions server_options, HttpHandler server_handler)
      : loop(event_loop),
        options(std::move(server_options)),
        handler(std::move(server_handler)),
        acceptor(event_loop.context()) {}

  void accept_next();
  void accepted(const error_code& error, asio::ip::tcp::socket socket);

  EventLoop& loop;
  const HttpServerOptions options;
  const HttpHandler handler;
  asio::ip::tcp::acceptor acceptor;
  std::uint16_t port = 0;
  bool accept_is_failing = false;
  std::unordered_set<Session*> sessions;
};

// One connection: a request, its response, the next request. Lives as long as an operation of it is
// under way. Threads: the loop's.
struct HttpServer::Session final : std::enable_shared_from_this<Session> {
  Session(std::shared_ptr<State> server_state, asio::ip::tcp::socket socket)
      : server(std::move(server_state)), stream(std::move(socket)) {
    server->sessions.insert(this);
  }
  ~Session() { server->sessions.erase(this); }

  void read();
  void has_read(const error_code& error);
  void respond(const HttpResponse& response, bool head_only, bool keep_alive);
  void has_written(const error_code& error);
  void close() {
    error_code ignored;
    stream.socket().close(ignored);
  }
  void end() {
    error_code ignored;
    stream.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  }

  const std::shared_ptr<State> server;
  beast::tcp_stream stream;
  beast::flat_buffer buffer;
  std::optional<http::request_parser<http::string_body>> parser;
  http::response<http::string_body> message;
};

void HttpServer::Session::read() {
  parser.emplace();
  parser->header_limit(server->options.header_limit);
  parser->body_limit(server->options.body_limit);
  stream.expires_after(server->options.timeout);
  http::async_read(
      stream, buffer, *parser,
      [self = shared_from_this()](const error_code& error, std::size_t) { self->has_read(error); });
}

void HttpServer::Session::has_read(const error_code& error) {
  if (!stream.socket().is_open()) {
    return;  // The server is gone.
  }
  if (error) {
    if (const auto response = refusal(error)) {
      respond(*response, false, false);
    }
    return;
  }
  const http::request<http::string_body>& request = parser->get();
  respond(server->handler(request_of(request)), request.method() == http::verb::head,
          request.keep_alive());
}

void HttpServer::Session::respond(const HttpResponse& response, bool head_only, bool keep_alive) {
  message = {};
  message.version(11);
  message.result(response.status);
  message.keep_alive(keep_alive);
  message.set(http::field::content_type, response.content_type);
  for (const auto& [name, value] : response.headers) {
    message.set(name, value);
  }
  message.content_length(response.body.size());
  if (!head_only) {
    message.body() = response.body;
  }
  stream.expires_after(server->options.timeout);
  http::async_write(stream, message,
                    [self = shared_from_this()](const error_code& failure, std::size_t) {
                      self->has_written(failure);
                    });
}

void HttpServer::Session::has_written(const error_code& error) {
  if (error || !stream.socket().is_open()) {
    return;
  }
  if (message.keep_alive()) {
    read();
  } else {
    end();
  }
}

void HttpServer::State::accept_next() {
  acceptor.async_accept(
      [self = shared_from_this()](const error_code& error, asio::ip::tcp::socket socket) {
        self->accepted(error, std::move(socket));
      });
}

void HttpServer::State::accepted(const error_code& error, asio::ip::tcp::socket socket) {
  if (!acceptor.is_open()) {
    return;
  }
  if (error) {
    if (!std::exchange(accept_is_failing, true)) {
      log_warning(options.component, "cannot accept connections on port {}: {}", port,
                  error.message());
    }
    loop.post_after(kAcceptRetry, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (self && self->acceptor.is_open()) {
        self->accept_next();
      }
    });
    return;
  }
  accept_is_failing = false;
  if (sessions.size() < options.connection_limit) {
    std::make_shared<Session>(shared_from_this(), std::move(socket))->read();
  }
  accept_next();
}

Result<std::unique_ptr<HttpServer>> HttpServer::listen(EventLoop& loop, HttpServerOptions options,
                                                       HttpHandler handler) {
  constexpr int kReceiveBuffer = 64 * 1024;
  Descriptor socket = TRY(listen_on(options.host, options.port, kReceiveBuffer));
  auto state = std::make_shared<State>(loop, std::move(options), std::move(handler));
  state->port = local_port_of(socket.get());
  const bool is_v6 = family_of(socket.get()) == AF_INET6;
  error_code error;
  state->acceptor.assign(is_v6 ? asio::ip::tcp::v6() : asio::ip::tcp::v4(), socket.get(), error);
  if (error) {
    return transient("watching the listening socket: " + error.message());
  }
  static_cast<void>(socket.release());  // The acceptor's now.
  loop.run_and_wait([&] { state->accept_next(); });
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

HttpServer::HttpServer(std::shared_ptr<State> state) : state_(std::move(state)) {}

HttpServer::~HttpServer() {
  state_->loop.run_and_wait([this] {
    error_code ignored;
    state_->acceptor.close(ignored);
    for (Session* const session : state_->sessions) {
      session->close();
    }
  });
}

std::uint16_t HttpServer::port() const {
  return state_->port;
}

}  // namespace millrace
