// Protocols and cipher suites of a TLS server, as Flume's keys choose them.
#pragma once

#include <openssl/ssl.h>

#include "base/result.h"
#include "io/tls_context.h"

namespace millrace {

// Of TLS 1.2 and 1.3 and of OpenSSL's default suites: those included (all, when nothing is), but
// for those excluded. kConfig when nothing is left.
Result<> use_protocols_and_suites(SSL_CTX* context, const TlsServerSettings& settings);

}  // namespace millrace
