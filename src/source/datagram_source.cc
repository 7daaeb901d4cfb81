#include "source/datagram_source.h"

#include <utility>

#include "base/log.h"

namespace millrace {
namespace {

constexpr std::size_t kLeastRoom = 64 * 1024;  // Of event memory, before anything is read.
constexpr std::chrono::milliseconds kDropsCheck{1000};

}  // namespace

DatagramSource::DatagramSource(DatagramConfig config, std::string host, SourceContext context)
    : context_(std::move(context)),
      config_(config),
      host_(std::move(host)),
      component_("source " + context_.name),
      loop_(context_.services.loop),
      drops_(context_.metrics.counter("DatagramDropCount")),
      text_drops_(context_.metrics.counter("TextDropCount")),
      space_(context_.services.slabs, &context_.memory),
      builder_(space_),
      gate_(loop_, context_.channels) {}

DatagramSource::~DatagramSource() {
  stop(SteadyTime{});
}

Result<> DatagramSource::start() {
  if (receiver_) {
    return {};
  }
  loop_.run_and_wait([this] {
    context_.channels.attach(loop_, WhenRefused::kWait);
    gate_.enter();
    hook_ = loop_.add_turn_hook([this] { end_turn(); });
  });
  auto receiver = UdpReceiver::open(
      loop_, {component_, host_, config_.port, config_.receive_buffer.value}, *this);
  if (!receiver.ok()) {
    loop_.run_and_wait([this] { leave_loop(); });
    return std::move(receiver).error();
  }
  receiver_ = std::move(receiver).value();
  log_info(
      component_, "listens on UDP port {}, with a receive buffer of {} KiB of the {} KiB wanted",
      receiver_->port(), receiver_->granted_buffer() / 1024, config_.receive_buffer.value / 1024);
  known_drops_ = 0;
  self_ = std::make_shared<DatagramSource*>(this);
  loop_.run_and_wait([this] {
    receiver_->resume();
    watch_drops();
  });
  return {};
}

void DatagramSource::stop(SteadyTime deadline) {
  if (!receiver_) {
    return;
  }
  receiver_->drain(deadline);
  loop_.run_and_wait([this] {
    count_drops();
    self_.reset();
    receiver_.reset();  // Nothing comes behind the last put.
    leave_loop();
  });
  settle_puts(loop_, context_.channels, deadline);
}

void DatagramSource::leave_loop() {
  gate_.leave();
  loop_.remove_turn_hook(hook_);
  end_turn();
}

// A closed gate: what does not fit into the kernel's buffer meanwhile is lost, and counted there.
bool DatagramSource::wants_datagrams() {
  if (!gate_.closed() && space_.bodies.room(kLeastRoom).empty()) {
    gate_.close_for_memory();
  }
  if (gate_.closed()) {
    gate_.when_open([this] { receiver_->resume(); });
    return false;
  }
  return true;
}

void DatagramSource::on_datagrams(std::span<const Datagram> datagrams) {
  loop_.count_read(0,
                   std::chrono::microseconds::zero());  // The kernel's buffer waits for no pause.
  begin_read();
  for (const Datagram& datagram : datagrams) {
    take(datagram);
  }
}

void DatagramSource::take(const Datagram& datagram) {
  const std::string_view text = first_line(datagram.bytes);
  if (text.size() + 1 < datagram.bytes.size()) {
    text_drops_.add();
  }
  if (text.empty() && !takes_empty()) {
    return;
  }
  add(builder_, builder_.store_read_body(text), *datagram.peer);
  if (builder_.size() >= kMostEventsOfPut) {
    put();
  }
}

void DatagramSource::put() {
  context_.channels.put(builder_);
  begin_batch();
  if (!context_.channels.ready()) {
    gate_.close_for_channels();
  }
}

void DatagramSource::end_turn() {
  if (!builder_.empty()) {
    put();
  }
}

void DatagramSource::watch_drops() {
  count_drops();
  loop_.post_after(kDropsCheck, [self = std::weak_ptr(self_)] {
    if (const auto source = self.lock()) {
      (*source)->watch_drops();
    }
  });
}

// The kernel's count has 32 bits and goes round.
void DatagramSource::count_drops() {
  const auto drops = static_cast<std::uint32_t>(receiver_->dropped());
  const std::uint32_t fresh = drops - std::exchange(known_drops_, drops);
  if (fresh > 0 && drops_.value() == 0) {
    log_warning(component_,
                "the kernel threw away {} datagrams: they came faster than the channels took them; "
                "DatagramDropCount goes on counting",
                fresh);
  }
  drops_.add(fresh);
}

}  // namespace millrace
