#include "cli/hammer/plan.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <random>
#include <thread>

#include "cli/address.h"

namespace millrace {
namespace {

// Memory for ready lines. Words repeat after a block: a long one, so that no codec's window sees
// it.
constexpr std::size_t kAllBlocks = 64 << 20;
constexpr std::size_t kPaddedBlock = 256 << 10;
constexpr std::size_t kWordsBlock = 4 << 20;
constexpr std::size_t kSmallestBlock = 16 << 10;
// Many connections would pin the kernel's memory for TCP on their own.
constexpr std::size_t kManyConnections = 16;
constexpr std::size_t kAllSendBuffers = 32 << 20;

Result<std::vector<std::string>> ports_of(const HammerOptions& options) {
  std::vector<std::string> ports;
  for (const std::string& list : options.ports) {
    for (std::size_t at = 0; at < list.size();) {
      const std::size_t end = std::min(list.find_first_of(", ", at), list.size());
      if (end > at) {
        ports.push_back(list.substr(at, end - at));
      }
      at = end + 1;
    }
  }
  for (const std::string& port : ports) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (error != std::errc{} || *end != '\0' || number == 0 || number > 65'535) {
      return bad_config(fmt::format("--ports: \"{}\" is no port", port));
    }
  }
  const std::size_t flows =
      options.flows > 0 ? options.flows : std::max<std::size_t>(1, ports.size());
  if (ports.empty()) {
    for (std::size_t i = 0; i < flows; ++i) {
      ports.push_back(std::to_string(options.port + (options.same_port ? 0 : i)));
    }
  }
  if (options.port + flows > 65'536 && options.ports.empty() && !options.same_port) {
    return bad_config("--port: there are not so many ports behind it (--same-port?)");
  }
  if (ports.size() == 1) {
    ports.resize(flows, ports.front());
  }
  if (ports.size() != flows) {
    return bad_config(fmt::format("--ports: {} ports for {} hammers", ports.size(), flows));
  }
  return ports;
}

std::string own_host() {
  char name[64] = {};
  ::gethostname(name, sizeof name - 1);
  return name[0] == '\0' ? "localhost" : name;
}

Result<LineShape> shape_of(const HammerOptions& options, std::uint32_t hammer) {
  LineShape shape;
  shape.hammer = hammer;
  shape.run = options.run;
  shape.line_bytes = options.size;
  shape.words = options.padding == "words";
  if (options.protocol == "syslog") {
    shape.prefix = syslog_prefix(std::chrono::system_clock::now(), own_host());
  }
  const std::size_t least = shape.prefix.size() + smallest_event(hammer, options.run);
  if (options.size < least) {
    return bad_config(fmt::format("--size: an event takes at least {} bytes here", least));
  }
  return shape;
}

Result<FlowPlan> plan_flow(const HammerOptions& options, std::size_t flows, std::uint32_t hammer,
                           const std::string& port) {
  FlowPlan plan;
  plan.flow.shape = TRY(shape_of(options, hammer));
  plan.flow.first = options.first;
  plan.flow.end = options.count > 0 ? options.first + options.count : kNumberLimit;
  plan.flow.per_second = options.rate / static_cast<double>(flows);
  plan.flow.block_bytes = std::clamp(kAllBlocks / flows, kSmallestBlock,
                                     plan.flow.shape.words ? kWordsBlock : kPaddedBlock);
  const SocketAddress to = TRY(resolve(options.host, port));
  plan.connection.address = to.address;
  plan.connection.address_bytes = to.bytes;
  plan.connection.answered = options.protocol == "netcat";
  plan.connection.window = options.window;
  plan.connections = options.connections;
  const std::size_t all = flows * options.connections;
  if (all > kManyConnections) {
    plan.connection.send_buffer_bytes =
        static_cast<int>(std::clamp<std::size_t>(kAllSendBuffers / all, 16 << 10, 1 << 20));
  }
  plan.prefix_host = plan.flow.shape.prefix.empty() ? "" : own_host();
  return plan;
}

Result<> check(const HammerOptions& options) {
  if (!is_run_id(options.run)) {
    return bad_config("--run-id: expected 1 to 32 letters, digits, '.', '_' or '-'");
  }
  if (options.count > kNumberLimit - options.first) {
    return bad_config("--start, --count: numbers have at most 12 digits");
  }
  return {};
}

}  // namespace

Result<std::vector<SenderPlan>> plan_senders(const HammerOptions& options) {
  TRY(check(options));
  const std::vector<std::string> ports = TRY(ports_of(options));
  const std::size_t half_the_cores = std::max(1U, std::thread::hardware_concurrency() / 2);
  const std::size_t threads =
      std::min<std::size_t>(options.threads > 0 ? options.threads : half_the_cores, ports.size());
  std::vector<SenderPlan> plans(threads);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    plans[i % threads].flows.push_back(
        TRY(plan_flow(options, ports.size(), static_cast<std::uint32_t>(i), ports[i])));
  }
  for (SenderPlan& plan : plans) {
    plan.give_up_after =
        std::chrono::milliseconds(static_cast<std::int64_t>(options.give_up * 1e3));
    plan.most_time = std::chrono::milliseconds(static_cast<std::int64_t>(options.seconds * 1e3));
  }
  return plans;
}

std::string random_run_id() {
  constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz23456789";
  std::random_device device;
  std::string id;
  for (int i = 0; i < 6; ++i) {
    id.push_back(kLetters[device() % kLetters.size()]);
  }
  return id;
}

}  // namespace millrace
