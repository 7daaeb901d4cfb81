// The inside of a TlsSession, shared with its context. Included by tls_*.cc alone.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "io/tls_context.h"

namespace millrace {

struct TlsSession::State {
  std::unique_ptr<SSL, decltype(&::SSL_free)> ssl{nullptr, &::SSL_free};
  bool more_may_wait = false;  // The last read() ended because its span was full.
  std::string error{};
};

// A BIO over a socket that does not block. Unlike OpenSSL's own it raises no SIGPIPE. It does not
// own the descriptor. Null when there is no memory for it.
BIO* make_socket_bio(int descriptor);

// The oldest error that OpenSSL has on this thread, in words; the others are dropped.
std::string openssl_error();

}  // namespace millrace
