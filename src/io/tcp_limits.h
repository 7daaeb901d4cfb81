// What the kernel grants our connections: memory for received bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/metrics.h"

namespace millrace {

// Of all TCP servers of the process. Threads: any.
struct TcpCounters {
  Counter open;             // Accepted connections that are open now.
  Counter resets;           // Connections that the peer or the kernel reset.
  Counter accept_failures;  // accept() without a descriptor or memory for it.
  Counter tls_failures;     // Handshakes that failed, plain-text clients among them.
};
TcpCounters& tcp_counters();

// Bytes of received data that the kernel may hold for all our connections: a quarter of the middle
// value of net.ipv4.tcp_mem, from which on the kernel saves memory and in the end throws away what
// it has acknowledged. Where that file cannot be read, as in a container, a quarter of 1/16 of the
// memory.
std::size_t tcp_memory_allowance();

// Bytes that the kernel lets a receive buffer grow to as its connection gets faster, the third
// value of net.ipv4.tcp_rmem; 6 MiB, its default, where that cannot be read.
std::size_t tcp_largest_receive_buffer();

// Stands for a receive buffer that is left to the kernel. One that is set does not grow, and the
// kernel cuts it to net.core.rmem_max, which is small: the sender of a fast connection waits.
constexpr std::size_t kLeftToKernel = SIZE_MAX;

// The value for SO_RCVBUF with `connections` open, so that all of them together stay within the
// allowance: left to the kernel while all may grow to `largest`, else their share, counted with the
// bookkeeping for which the kernel doubles the value, and 4 KiB at least. Changes when the number
// of connections passes a power of two.
std::size_t receive_buffer_share(std::size_t connections, std::size_t allowance,
                                 std::size_t largest);

// TCPAbortOnMemory of /proc/net/netstat: connections of this machine that the kernel ended because
// memory ran short, with what they held. Nothing where it cannot be read.
std::optional<std::uint64_t> tcp_aborts_on_memory();

}  // namespace millrace
