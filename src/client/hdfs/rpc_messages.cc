#include "client/hdfs/rpc_messages.h"

#include <google/protobuf/io/coded_stream.h>

#include <limits>

#include "client/hdfs/proto/rpc.pb.h"

namespace millrace::hdfs {
namespace {

constexpr char kControlClientId[] = "";  // Calls that are none need no id.

void append_big32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(value >> shift));
  }
}

void append_delimited(std::string& out, std::string_view message) {
  std::uint8_t length[5];
  const std::uint8_t* end = google::protobuf::io::CodedOutputStream::WriteVarint32ToArray(
      static_cast<std::uint32_t>(message.size()), length);
  out.append(reinterpret_cast<const char*>(length), static_cast<std::size_t>(end - length));
  out.append(message);
}

std::string framed(std::string_view body) {
  std::string frame;
  frame.reserve(body.size() + 4);
  append_big32(frame, static_cast<std::uint32_t>(body.size()));
  frame.append(body);
  return frame;
}

std::string request_header(std::int32_t call_id, const std::string& client_id, std::int32_t retry) {
  proto::RpcRequestHeader header;
  header.set_rpc_kind(proto::RPC_PROTOCOL_BUFFER);
  header.set_rpc_op(proto::RpcRequestHeader::RPC_FINAL_PACKET);
  header.set_call_id(call_id);
  header.set_client_id(client_id);
  header.set_retry_count(retry);
  return header.SerializeAsString();
}

// Cuts a message with its length off the front.
std::optional<std::string_view> take_delimited(std::string_view& rest) {
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(rest.data()),
                                            static_cast<int>(rest.size()));
  std::uint32_t length = 0;
  if (!in.ReadVarint32(&length)) {
    return std::nullopt;
  }
  rest.remove_prefix(static_cast<std::size_t>(in.CurrentPosition()));
  if (length > rest.size()) {
    return std::nullopt;
  }
  const std::string_view message = rest.substr(0, length);
  rest.remove_prefix(length);
  return message;
}

RemoteFault fault_of(const proto::RpcResponseHeader& header) {
  RemoteFault fault;
  fault.class_name = header.exception_class_name();
  fault.message = header.error_msg().substr(0, header.error_msg().find('\n'));
  fault.detail = header.has_error_detail() ? header.error_detail() : 0;
  fault.fatal = header.status() == proto::RpcResponseHeader::FATAL;
  return fault;
}

}  // namespace

std::string encode_connection_header() {
  constexpr char kVersion = 9;
  constexpr char kServiceClass = 0;
  constexpr char kNoSasl = 0;
  return std::string("hrpc") + kVersion + kServiceClass + kNoSasl;
}

std::string encode_connection_context(const std::string& user, std::string_view protocol) {
  proto::IpcConnectionContext context;
  context.mutable_user_info()->set_effective_user(user);
  context.set_protocol(std::string(protocol));
  std::string body;
  append_delimited(body, request_header(static_cast<std::int32_t>(ControlCall::kConnectionContext),
                                        kControlClientId, -1));
  append_delimited(body, context.SerializeAsString());
  return framed(body);
}

std::string encode_ping() {
  std::string body;
  append_delimited(
      body, request_header(static_cast<std::int32_t>(ControlCall::kPing), kControlClientId, -1));
  return framed(body);
}

std::string encode_call(const RpcCall& call, std::int32_t retry) {
  proto::RequestHeader method;
  method.set_method_name(std::string(call.method));
  method.set_declaring_class_protocol_name(std::string(call.protocol));
  method.set_client_protocol_version(1);
  std::string body;
  append_delimited(body, request_header(call.id, call.client_id, retry));
  append_delimited(body, method.SerializeAsString());
  append_delimited(body, call.request);
  return framed(body);
}

Result<RpcAnswer> decode_answer_frame(std::string_view frame) {
  if (frame.size() > std::numeric_limits<int>::max()) {
    return corrupt("an answer of more than 2 GiB");
  }
  const auto header_bytes = take_delimited(frame);
  proto::RpcResponseHeader header;
  if (!header_bytes ||
      !header.ParseFromArray(header_bytes->data(), static_cast<int>(header_bytes->size()))) {
    return corrupt("an answer without a readable header");
  }
  RpcAnswer answer;
  answer.call_id = static_cast<std::int32_t>(header.call_id());
  if (header.status() != proto::RpcResponseHeader::SUCCESS) {
    answer.fault = fault_of(header);
    return answer;
  }
  const auto message = take_delimited(frame);
  if (!message) {
    return corrupt("an answer shorter than it says");
  }
  answer.message = *message;
  return answer;
}

}  // namespace millrace::hdfs
