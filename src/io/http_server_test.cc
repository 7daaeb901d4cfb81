#include "io/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/tcp_test_client.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class HttpServerTest : public testing::Test {
 protected:
  std::unique_ptr<HttpServer> listen(HttpServerOptions options = {}) {
    auto server = HttpServer::listen(loop_, std::move(options), [](const HttpRequest& request) {
      return HttpResponse{.body = request.method + " " + request.path + "|" + request.query + "|" +
                                  request.header("accept") + "|" + request.body,
                          .headers = {{"X-Test", "yes"}}};
    });
    EXPECT_TRUE(server.ok());
    return std::move(server).value();
  }
  static std::string ask(std::uint16_t port, std::string_view request) {
    TestClient client(port);
    client.send(request);
    return client.receive_all();
  }

  EventLoop loop_{"test"};
};

TEST_F(HttpServerTest, AnswersARequest) {
  const auto server = listen();
  const std::string response = ask(server->port(),
                                   "POST /a/b?c=d HTTP/1.1\r\nAccept: x\r\nAccept: y\r\n"
                                   "Content-Length: 4\r\nConnection: close\r\n\r\nbody");
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(response, HasSubstr("X-Test: yes\r\n"));
  EXPECT_THAT(response, HasSubstr("Content-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_THAT(response, EndsWith("\r\n\r\nPOST /a/b|c=d|x, y|body"));
}

TEST_F(HttpServerTest, KeepsConnectionsOpen) {
  const auto server = listen();
  TestClient client(server->port());
  for (int i = 0; i < 3; ++i) {
    client.send("GET / HTTP/1.1\r\n\r\n");
    std::string response;
    while (response.find("GET /||") == std::string::npos) {
      const std::string part = client.receive(1);
      ASSERT_FALSE(part.empty());
      response += part;
    }
    EXPECT_EQ(client.receive(1), "|");
  }
}

TEST_F(HttpServerTest, HeadHasNoBody) {
  const auto server = listen();
  const std::string response = ask(server->port(), "HEAD /x HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(response, HasSubstr("Content-Length: 10\r\n"));
  EXPECT_THAT(response, EndsWith("\r\n\r\n"));
}

TEST_F(HttpServerTest, RefusesWhatIsTooLongOrNoHttp) {
  const auto server = listen({.header_limit = 1000, .body_limit = 1000});
  EXPECT_THAT(ask(server->port(), "GET /" + std::string(2000, 'a') + " HTTP/1.1\r\n\r\n"),
              StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(ask(server->port(), "POST / HTTP/1.1\r\nContent-Length: 2000\r\n\r\n"),
              StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(ask(server->port(), "\x16\x03\x01 no http\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
}

TEST_F(HttpServerTest, ClosesSilentAndSurplusConnections) {
  const auto server = listen({.timeout = 50ms, .connection_limit = 1});
  TestClient silent(server->port());
  TestClient surplus(server->port());
  EXPECT_EQ(surplus.receive_all(), "");
  EXPECT_EQ(silent.receive_all(), "");
}

TEST_F(HttpServerTest, EndsWithOpenConnections) {
  auto server = listen();
  const std::uint16_t port = server->port();
  TestClient client(port);
  client.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.receive(4), "HTTP");
  EXPECT_FALSE(HttpServer::listen(loop_, {.port = port}, {}).ok());
  server.reset();
  client.receive_all();
  EXPECT_TRUE(HttpServer::listen(loop_, {.port = port}, {}).ok());
}

}  // namespace
}  // namespace millrace
