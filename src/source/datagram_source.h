// What the sources that take datagrams share: one UDP port, batches of a turn, and what was lost.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "config/fields.h"
#include "core/channel_processor.h"
#include "core/claim.h"
#include "core/component.h"
#include "core/source.h"
#include "io/udp_receiver.h"
#include "source/loop_source.h"

namespace millrace {

struct DatagramConfig {
  std::uint16_t port = 0;
  ByteCount receive_buffer{std::uint64_t{16} << 20};

  static constexpr auto fields() {
    using C = DatagramConfig;
    return std::tuple{
        field("port", &C::port, "Port to listen on.").required().range(0, 65'535),
        field("receiveBuffer", &C::receive_buffer,
              "Bytes that the kernel keeps while the source is busy. Without the privilege "
              "CAP_NET_ADMIN it grants net.core.rmem_max at most; the log says what it granted.")
            .range(4096, 1 << 30),
    };
  }
};

// What of a datagram is its event.
inline std::string_view first_line(std::string_view datagram) {
  return datagram.substr(0, datagram.find('\n'));
}

// A datagram is one event: what comes before its first newline. Events are put at the end of the
// loop's turn, or when a batch is full.
//
// Repeats: none. Losses: UDP has no acknowledgement. While the channels take no more, or the memory
// for events is spent, nothing is read, and the kernel throws away what its buffer does not hold:
// DatagramDropCount counts that, and TextDropCount the datagrams that went on behind a newline.
// What lies in the buffer when the agent is killed is lost and not counted. Threads: start() and
// stop() on the control thread, the rest on the event loop.
class DatagramSource : public Source, private UdpHandler {
 public:
  ~DatagramSource() override;
  Result<> start() override;
  void stop(SteadyTime deadline) override;
  std::uint16_t port() const { return receiver_->port(); }  // Where it listens.

 protected:
  DatagramSource(DatagramConfig config, std::string host, SourceContext context);

  // Adds the event of a datagram: `text` lies in memory that the builder keeps.
  virtual void add(EventBatch::Builder& builder, std::string_view text,
                   const sockaddr_storage& peer) = 0;
  // Before the datagrams of one read, and after a batch was handed on.
  virtual void begin_read() {}
  virtual void begin_batch() {}
  virtual bool takes_empty() const = 0;

  SourceContext context_;

 private:
  static constexpr std::size_t kMostEventsOfPut = 1000;

  bool wants_datagrams() override;
  void on_datagrams(std::span<const Datagram> datagrams) override;
  void take(const Datagram& datagram);
  void put();
  void end_turn();
  void watch_drops();
  void count_drops();
  void leave_loop();

  const DatagramConfig config_;
  const std::string host_;
  const std::string component_;  // For the log.
  EventLoop& loop_;
  Counter& drops_;
  Counter& text_drops_;
  BatchSpace space_;
  EventBatch::Builder builder_;
  ReadGate gate_;
  EventLoop::HookId hook_ = 0;
  std::unique_ptr<UdpReceiver> receiver_;
  std::uint32_t known_drops_ = 0;
  std::shared_ptr<DatagramSource*> self_;  // Null while it is stopped.
};

}  // namespace millrace
