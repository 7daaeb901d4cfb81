// Hadoop RPC, version 9, as bytes: what a connection begins with, calls, and their answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millrace::hdfs {

// Ids of calls that are none; those of calls begin at 0.
enum class ControlCall : std::int32_t { kConnectionContext = -3, kPing = -4 };

constexpr std::string_view kClientProtocol = "org.apache.hadoop.hdfs.protocol.ClientProtocol";
constexpr std::string_view kClientDatanodeProtocol =
    "org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol";

// A call, the same for all of its tries: the NameNode's retry cache knows it by client and number.
struct RpcCall {
  std::string client_id;  // 16 bytes.
  std::int32_t id = 0;
  std::string_view method;
  std::string request;  // The message, as bytes.
  std::string_view protocol = kClientProtocol;
};

// What the server says instead of an answer.
struct RemoteFault {
  std::string class_name;   // "java.io.FileNotFoundException"
  std::string message;      // Its first line.
  std::int32_t detail = 0;  // RpcErrorCodeProto.
  bool fatal = false;       // It ends the connection.
};

struct RpcAnswer {
  std::int32_t call_id = 0;
  std::optional<RemoteFault> fault;
  std::string message;  // Without a fault: the message, as bytes.
};

// Magic, version and "no SASL"; then for whom the connection is.
std::string encode_connection_header();
std::string encode_connection_context(const std::string& user,
                                      std::string_view protocol = kClientProtocol);
std::string encode_ping();
// `retry`: 0 at the first try.
std::string encode_call(const RpcCall& call, std::int32_t retry);

// Of a frame without its length. kCorrupt when it does not hold what it says.
Result<RpcAnswer> decode_answer_frame(std::string_view frame);

}  // namespace millrace::hdfs
