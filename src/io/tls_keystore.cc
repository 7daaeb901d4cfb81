#include "io/tls_keystore.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "io/tls_session_state.h"

namespace millrace {
namespace {

constexpr std::size_t kHeadBytes = 64 * 1024;

Result<std::string> head_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kHeadBytes, '\0');
  if (!file || (!file.read(head.data(), kHeadBytes) && !file.eof())) {
    return bad_config(fmt::format("keystore {}: {}", path, std::strerror(errno)));
  }
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

Error wrong_kind(KeystoreKind kind, const std::string& path) {
  switch (kind) {
    case KeystoreKind::kJks:
      return bad_config(fmt::format(
          "keystore {} is a Java keystore (JKS), which is not read here; make a PEM file of it: "
          "keytool -importkeystore -srckeystore {} -destkeystore keystore.p12 -deststoretype "
          "PKCS12 && openssl pkcs12 -in keystore.p12 -nodes -out keystore.pem",
          path, path));
    case KeystoreKind::kPkcs12:
      return bad_config(fmt::format(
          "keystore {} is a PKCS12 keystore, which is not read here; make a PEM file of it: "
          "openssl pkcs12 -in {} -nodes -out keystore.pem",
          path, path));
    default:
      return bad_config(fmt::format(
          "keystore {} holds no PEM text: a private key and the certificate chain are wanted, each "
          "from \"-----BEGIN\" to \"-----END\"",
          path));
  }
}

int give_password(char* space, int size, int, void* password) {
  const auto& text = *static_cast<const std::string*>(password);
  const std::size_t count = std::min(text.size(), static_cast<std::size_t>(size));
  std::memcpy(space, text.data(), count);
  return static_cast<int>(count);
}

}  // namespace

KeystoreKind keystore_kind(std::string_view bytes) {
  if (bytes.starts_with("\xFE\xED\xFE\xED") || bytes.starts_with("\xCE\xCE\xCE\xCE")) {
    return KeystoreKind::kJks;
  }
  if (bytes.find("-----BEGIN ") != std::string_view::npos) {
    return KeystoreKind::kPem;
  }
  return bytes.starts_with('\x30') ? KeystoreKind::kPkcs12 : KeystoreKind::kUnknown;
}

Result<> use_keystore(SSL_CTX* context, const std::string& path, const std::string& password) {
  const KeystoreKind kind = keystore_kind(TRY(head_of(path)));
  if (kind != KeystoreKind::kPem) {
    return wrong_kind(kind, path);
  }
  std::string secret = password;
  ::SSL_CTX_set_default_passwd_cb(context, give_password);
  ::SSL_CTX_set_default_passwd_cb_userdata(context, &secret);
  const bool chain = ::SSL_CTX_use_certificate_chain_file(context, path.c_str()) == 1;
  const bool key =
      chain && ::SSL_CTX_use_PrivateKey_file(context, path.c_str(), SSL_FILETYPE_PEM) == 1;
  ::SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
  ::SSL_CTX_set_default_passwd_cb(context, nullptr);
  if (!key) {
    return bad_config(fmt::format("keystore {}: no usable {}: {}", path,
                                  chain ? "private key" : "certificate", openssl_error()));
  }
  if (::SSL_CTX_check_private_key(context) != 1) {
    return bad_config(
        fmt::format("keystore {}: the key does not belong to the first certificate: {}", path,
                    openssl_error()));
  }
  return {};
}

}  // namespace millrace
