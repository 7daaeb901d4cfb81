// The TLS keys that Flume's server sources share (Flume 1.11, class SslContextAwareAbstractSource).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/result.h"
#include "config/fields.h"
#include "io/tls_context.h"

namespace millrace {

// A base of a source's config; its fields() go in front of the source's own with std::tuple_cat,
// and the source's check() calls check_tls(). What a key leaves open comes from the process: the
// system property javax.net.ssl.keyStore, else the environment variable FLUME_SSL_KEYSTORE_PATH,
// and so on.
struct TlsServerConfig {
  bool ssl = false;
  std::string keystore;
  std::string keystore_password;
  std::string keystore_type;
  std::vector<std::string> exclude_protocols;
  std::vector<std::string> include_protocols;
  std::vector<std::string> exclude_cipher_suites;
  std::vector<std::string> include_cipher_suites;

  static constexpr auto fields() {
    using C = TlsServerConfig;
    return std::tuple{
        field("ssl", &C::ssl, "Whether clients must speak TLS (1.2 or 1.3)."),
        field("keystore", &C::keystore,
              "PEM file with the private key and the certificate chain, own certificate first.")
            .example("/etc/millrace/server.pem"),
        field("keystore-password", &C::keystore_password, "Password of the key, if it has one.")
            .secret(),
        field("keystore-type", &C::keystore_type,
              "Not needed: the file's contents tell. JKS and PKCS12 files are refused with the "
              "command that converts them."),
        field("exclude-protocols", &C::exclude_protocols, "Protocols not to speak, blanks between.")
            .example("TLSv1.2"),
        field("include-protocols", &C::include_protocols, "The only protocols to speak.")
            .example("TLSv1.3"),
        field("exclude-cipher-suites", &C::exclude_cipher_suites,
              "Cipher suites not to use, by Java's or OpenSSL's names."),
        field("include-cipher-suites", &C::include_cipher_suites, "The only cipher suites to use.")
            .example("TLS_AES_256_GCM_SHA384"),
    };
  }

  // Opens the keystore, as Flume does when it reads its configuration, and reports what is wrong.
  void check_tls(ConfigCheck& check) const;
  // For TcpServerOptions; null without ssl = true. kConfig when the keystore cannot be used.
  Result<std::shared_ptr<const TlsContext>> tls_context() const;
  // The keys, with the process's defaults where they are empty.
  TlsServerSettings settings() const;
};

// The -Dname=value of the command line, of which settings() takes the TLS defaults. Called before
// a configuration is read. Threads: the control thread.
void set_tls_system_properties(const std::map<std::string, std::string>& properties);

}  // namespace millrace
