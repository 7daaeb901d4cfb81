#include "source/tls_server_config.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace millrace {
namespace {

std::map<std::string, std::string>& system_properties() {
  static std::map<std::string, std::string> properties;
  return properties;
}

std::string process_default(const char* property, const char* variable) {
  const auto found = system_properties().find(property);
  if (found != system_properties().end()) {
    return found->second;
  }
  const char* const value = std::getenv(variable);
  return value != nullptr ? value : "";
}

std::string or_default(const std::string& value, const char* property, const char* variable) {
  return value.empty() ? process_default(property, variable) : value;
}

// The process's lists have commas where those of a component have blanks.
std::vector<std::string> or_default(std::vector<std::string> words, const char* property,
                                    const char* variable) {
  if (!words.empty()) {
    return words;
  }
  std::string text = process_default(property, variable);
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream list(text);
  for (std::string word; list >> word;) {
    words.push_back(std::move(word));
  }
  return words;
}

}  // namespace

void set_tls_system_properties(const std::map<std::string, std::string>& properties) {
  system_properties() = properties;
}

TlsServerSettings TlsServerConfig::settings() const {
  return {
      .keystore = or_default(keystore, "javax.net.ssl.keyStore", "FLUME_SSL_KEYSTORE_PATH"),
      .keystore_password = or_default(keystore_password, "javax.net.ssl.keyStorePassword",
                                      "FLUME_SSL_KEYSTORE_PASSWORD"),
      .include_protocols = or_default(include_protocols, "flume.ssl.include.protocols",
                                      "FLUME_SSL_INCLUDE_PROTOCOLS"),
      .exclude_protocols = or_default(exclude_protocols, "flume.ssl.exclude.protocols",
                                      "FLUME_SSL_EXCLUDE_PROTOCOLS"),
      .include_cipher_suites = or_default(include_cipher_suites, "flume.ssl.include.cipherSuites",
                                          "FLUME_SSL_INCLUDE_CIPHERSUITES"),
      .exclude_cipher_suites = or_default(exclude_cipher_suites, "flume.ssl.exclude.cipherSuites",
                                          "FLUME_SSL_EXCLUDE_CIPHERSUITES"),
  };
}

Result<std::shared_ptr<const TlsContext>> TlsServerConfig::tls_context() const {
  if (!ssl) {
    return std::shared_ptr<const TlsContext>();
  }
  const TlsServerSettings chosen = settings();
  if (chosen.keystore.empty()) {
    return bad_config("ssl = true needs a keystore: a PEM file with key and certificate chain");
  }
  return TlsContext::make(chosen);
}

void TlsServerConfig::check_tls(ConfigCheck& check) const {
  const auto context = tls_context();
  if (!context.ok()) {
    check.fault(keystore.empty() ? "ssl" : "keystore", context.error().message());
  }
}

}  // namespace millrace
