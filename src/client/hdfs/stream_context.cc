#include "client/hdfs/stream_context.h"

#include <algorithm>
#include <utility>

namespace millrace::hdfs {
namespace {

// The handshake of SASL belongs here: it takes the connection and gives one that may be wrapped.
Result<DataSocket> protect(DataSocket socket, const StreamOptions& options) {
  if (options.encrypted) {
    return bad_config(
        "this cluster protects its data transfer (dfs.encrypt.data.transfer or "
        "dfs.data.transfer.protection), which is not supported yet");
  }
  return socket;
}

constexpr std::chrono::milliseconds kFirstPause{5};
constexpr std::chrono::milliseconds kLongestPause{2000};

}  // namespace

Retries::Retries(const StreamOptions& options, Patience patience)
    : patience_(patience),
      pause_(kFirstPause),
      left_(options.locate_delay * ((1LL << std::min(options.locate_retries, 20U)) - 1)) {}

Result<bool> Retries::again() {
  if (left_.count() <= 0) {
    return false;
  }
  TRY(patience_.pause(std::min(pause_, left_)));
  left_ -= pause_;
  pause_ = std::min(2 * pause_, kLongestPause);
  return true;
}

std::chrono::milliseconds StreamOptions::read_timeout(std::size_t nodes) const {
  using std::chrono::milliseconds;
  return socket_timeout.count() == 0
             ? milliseconds(0)
             : socket_timeout + timeout_of_node * static_cast<milliseconds::rep>(nodes);
}

Result<DataSocket> connect_data_node(const DatanodeId& node, const StreamOptions& options,
                                     Patience patience) {
  const std::string& host = options.use_host_names ? node.host_name : node.ip_address;
  DataSocket socket =
      TRY(DataSocket::connect("DataNode", host, static_cast<std::uint16_t>(node.transfer_port),
                              patience.within(options.socket_timeout)));
  return protect(std::move(socket), options);
}

}  // namespace millrace::hdfs
