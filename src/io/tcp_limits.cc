#include "io/tcp_limits.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <sstream>
#include <string>

namespace millrace {
namespace {

constexpr std::size_t kLeastReceiveBuffer = 4 * 1024;

std::size_t read_tcp_memory_allowance() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::ifstream file("/proc/sys/net/ipv4/tcp_mem");
  std::size_t low = 0;
  std::size_t pressure = 0;  // Pages.
  if (file >> low >> pressure && pressure > 0) {
    return pressure * page / 4;
  }
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * page / 16 / 4;
}

std::size_t read_tcp_largest_receive_buffer() {
  std::ifstream file("/proc/sys/net/ipv4/tcp_rmem");
  std::size_t least = 0;
  std::size_t first = 0;
  std::size_t most = 0;
  return file >> least >> first >> most ? most : std::size_t{6} << 20;
}

}  // namespace

TcpCounters& tcp_counters() {
  static TcpCounters counters;
  return counters;
}

std::size_t tcp_memory_allowance() {
  static const std::size_t allowance = read_tcp_memory_allowance();
  return allowance;
}

std::size_t tcp_largest_receive_buffer() {
  static const std::size_t largest = read_tcp_largest_receive_buffer();
  return largest;
}

std::size_t receive_buffer_share(std::size_t connections, std::size_t allowance,
                                 std::size_t largest) {
  const std::size_t share = allowance / std::bit_ceil(std::max<std::size_t>(connections, 1));
  return share >= largest ? kLeftToKernel : std::max(share / 2, kLeastReceiveBuffer);
}

std::optional<std::uint64_t> tcp_aborts_on_memory() {
  // Two lines of the same many words: names, then values.
  std::ifstream file("/proc/net/netstat");
  std::string names;
  std::string values;
  while (std::getline(file, names) && std::getline(file, values)) {
    std::istringstream name_words(names);
    std::istringstream value_words(values);
    std::string name;
    std::string value;
    while (name_words >> name && value_words >> value) {
      if (name == "TCPAbortOnMemory") {
        return std::stoull(value);
      }
    }
  }
  return std::nullopt;
}

}  // namespace millrace
