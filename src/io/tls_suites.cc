#include "io/tls_suites.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "io/tls_session_state.h"

namespace millrace {
namespace {

using Names = std::vector<std::string>;

bool lists(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_chosen(const Names& include, const Names& exclude, const Names& spellings) {
  const auto is_in = [&](const Names& names) {
    return std::any_of(spellings.begin(), spellings.end(),
                       [&](const std::string& name) { return lists(names, name); });
  };
  return (include.empty() || is_in(include)) && !is_in(exclude);
}

// OpenSSL's name, and Java's, which is that of the RFCs; its older ones begin with SSL_.
Names spellings_of(const SSL_CIPHER* suite) {
  Names names{::SSL_CIPHER_get_name(suite)};
  const char* const standard = ::SSL_CIPHER_standard_name(suite);
  if (standard != nullptr && std::string_view(standard).starts_with("TLS_")) {
    names.emplace_back(standard);
    names.push_back("SSL_" + names.back().substr(4));
  }
  return names;
}

struct Suites {
  std::string tls12;  // OpenSSL's names, ':' between them.
  std::string tls13;
};

Suites chosen_suites(SSL_CTX* context, const TlsServerSettings& settings) {
  Suites suites;
  const STACK_OF(SSL_CIPHER)* const all = ::SSL_CTX_get_ciphers(context);
  for (int i = 0; i < sk_SSL_CIPHER_num(all); ++i) {
    const SSL_CIPHER* const suite = sk_SSL_CIPHER_value(all, i);
    if (is_chosen(settings.include_cipher_suites, settings.exclude_cipher_suites,
                  spellings_of(suite))) {
      const bool is_13 = std::string_view(::SSL_CIPHER_get_version(suite)) == "TLSv1.3";
      std::string& list = is_13 ? suites.tls13 : suites.tls12;
      list += (list.empty() ? "" : ":") + std::string(::SSL_CIPHER_get_name(suite));
    }
  }
  return suites;
}

}  // namespace

Result<> use_protocols_and_suites(SSL_CTX* context, const TlsServerSettings& settings) {
  const auto wants = [&](const char* protocol) {
    return is_chosen(settings.include_protocols, settings.exclude_protocols, {protocol});
  };
  bool tls12 = wants("TLSv1.2");
  bool tls13 = wants("TLSv1.3");
  if (!tls12 && !tls13) {
    return bad_config(
        "include-protocols and exclude-protocols leave nothing: TLSv1.2 and TLSv1.3 are spoken "
        "here");
  }
  const Suites suites = chosen_suites(context, settings);
  tls12 = tls12 && !suites.tls12.empty();
  tls13 = tls13 && !suites.tls13.empty();
  if (!tls12 && !tls13) {
    return bad_config(
        "include-cipher-suites and exclude-cipher-suites leave no suite for the protocols chosen "
        "(openssl ciphers -stdname -s lists those known here)");
  }
  const bool set =
      ::SSL_CTX_set_min_proto_version(context, tls12 ? TLS1_2_VERSION : TLS1_3_VERSION) == 1 &&
      ::SSL_CTX_set_max_proto_version(context, tls13 ? TLS1_3_VERSION : TLS1_2_VERSION) == 1 &&
      (!tls12 || ::SSL_CTX_set_cipher_list(context, suites.tls12.c_str()) == 1) &&
      (!tls13 || ::SSL_CTX_set_ciphersuites(context, suites.tls13.c_str()) == 1);
  if (!set) {
    return bad_config("cipher suites: " + openssl_error());
  }
  return {};
}

}  // namespace millrace
