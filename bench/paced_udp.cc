// Syslog messages over UDP at an even rate.
//
// usage: paced_udp PORT MESSAGES RATE BYTES
// Sends to 127.0.0.1:PORT so many messages of so many bytes, RATE a second: a few each PAUSE, as
// many as are due. Prints the seconds that it took; longer than MESSAGES / RATE where the rate is
// more than it can send.
#include <netinet/udp.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "bare.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBurst = 32;  // Messages of a system call.
constexpr std::chrono::microseconds kPause{200};

// Not connected: a port that nobody listens on yet is no error. The kernel takes the messages apart
// (UDP_SEGMENT): else a sender on the same machine gets to 200,000 a second, and is what is
// measured.
class Sender {
 public:
  Sender(int port, std::size_t bytes) : bytes_(bytes) {
    const int size = static_cast<int>(bytes);
    if (::setsockopt(socket_, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof size) != 0) {
      bare::fail("UDP_SEGMENT");
    }
    to_.sin_family = AF_INET;
    to_.sin_port = htons(static_cast<std::uint16_t>(port));
    to_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string message = "<13>Oct 11 22:14:15 host app: a message ";
    message.resize(bytes, 'x');
    for (std::size_t i = 0; i < kBurst; ++i) {
      text_ += message;
    }
  }
  void send(std::size_t messages) {
    const std::size_t bytes = messages * bytes_;
    if (::sendto(socket_, text_.data(), bytes, 0, reinterpret_cast<sockaddr*>(&to_), sizeof to_) !=
        static_cast<ssize_t>(bytes)) {
      bare::fail("sendto");
    }
  }

 private:
  const int socket_ = ::socket(AF_INET, SOCK_DGRAM, 0);
  const std::size_t bytes_;
  sockaddr_in to_{};
  std::string text_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: paced_udp PORT MESSAGES RATE BYTES\n", stderr);
    return 2;
  }
  Sender sender(std::atoi(argv[1]), static_cast<std::size_t>(std::atoi(argv[4])));
  const auto messages = static_cast<std::size_t>(std::atoll(argv[2]));
  const double rate = std::atof(argv[3]);
  const Clock::time_point begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  for (std::size_t sent = 0; sent < messages;) {
    const std::size_t due = std::min(messages, static_cast<std::size_t>(seconds() * rate) + 1);
    for (std::size_t most = due; sent < most;) {
      const std::size_t burst = std::min(kBurst, most - sent);
      sender.send(burst);
      sent += burst;
    }
    if (sent < messages && static_cast<std::size_t>(seconds() * rate) < sent) {
      std::this_thread::sleep_for(kPause);
    }
  }
  std::printf("%f\n", seconds());
  return 0;
}
