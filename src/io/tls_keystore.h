// The server's key and certificates from a file.
#pragma once

#include <openssl/ssl.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace millrace {

enum class KeystoreKind { kPem, kJks, kPkcs12, kUnknown };

// Told by the file's first bytes: JKS and JCEKS begin with FEEDFEED and CECECECE, a PKCS12 file
// with a DER sequence, a PEM file has "-----BEGIN ".
KeystoreKind keystore_kind(std::string_view bytes);

// Gives `context` the certificate chain (own certificate first) and the private key that stand in
// one PEM file. kConfig, and what to do, for anything else.
Result<> use_keystore(SSL_CTX* context, const std::string& path, const std::string& password);

}  // namespace millrace
