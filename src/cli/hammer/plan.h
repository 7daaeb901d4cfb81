// From the options of `hammer` to what each sender does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/hammer/sender.h"

namespace millrace {

struct HammerOptions {
  std::uint64_t flows = 0;  // 0: one a port.
  std::string host = "127.0.0.1";
  std::uint64_t port = 10001;
  std::vector<std::string> ports;  // Lists, "10001,10002" or "10001 10002"; in place of `port`.
  bool same_port = false;
  std::string protocol = "syslog";
  std::uint64_t size = 300;
  std::uint64_t count = 0;  // Events a hammer; 0: no limit.
  double seconds = 0;       // 0: no limit.
  double rate = 0;          // Events a second, all hammers together; 0: no limit.
  std::uint64_t connections = 1;
  std::uint64_t window = 1000;
  std::string padding = "x";
  std::uint64_t first = 0;
  std::string run;
  double give_up = 60;        // Seconds.
  std::uint64_t threads = 0;  // 0: one for two cores.
};

// One plan a thread, hammers dealt out in turn. kConfig for options that do not go together, with
// the option's name; kTransient when the host cannot be resolved.
Result<std::vector<SenderPlan>> plan_senders(const HammerOptions& options);

// Six letters and digits by chance.
std::string random_run_id();

}  // namespace millrace
