#include "io/tls_context.h"

#include <fmt/core.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "io/tls_keystore.h"
#include "io/tls_session_state.h"
#include "io/tls_suites.h"

namespace millrace {
namespace {

// OpenSSL reads ahead from the socket by so much: several records a call.
constexpr std::size_t kReadAhead = 64 * 1024;

void set_behaviour(SSL_CTX* context) {
  // Many clients close without a close_notify: that is an end, not a fault.
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nullptr);
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, kReadAhead);
}

}  // namespace

struct TlsContext::State {
  std::unique_ptr<SSL_CTX, decltype(&::SSL_CTX_free)> context{nullptr, &::SSL_CTX_free};
};

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const TlsServerSettings& settings) {
  auto state = std::make_unique<State>();
  state->context.reset(::SSL_CTX_new(::TLS_server_method()));
  SSL_CTX* const context = state->context.get();
  if (context == nullptr) {
    return transient("OpenSSL: " + openssl_error());
  }
  set_behaviour(context);
  TRY(use_protocols_and_suites(context, settings));
  TRY(use_keystore(context, settings.keystore, settings.keystore_password));
  return std::shared_ptr<const TlsContext>(new TlsContext(std::move(state)));
}

TlsContext::TlsContext(std::unique_ptr<State> state) : state_(std::move(state)) {}
TlsContext::~TlsContext() = default;

std::unique_ptr<TlsSession> TlsContext::open_session(int descriptor) const {
  auto session = std::make_unique<TlsSession::State>();
  session->ssl.reset(::SSL_new(state_->context.get()));
  BIO* const socket = session->ssl ? make_socket_bio(descriptor) : nullptr;
  if (socket == nullptr) {
    ::ERR_clear_error();
    return nullptr;
  }
  ::SSL_set_bio(session->ssl.get(), socket, socket);  // Takes it over.
  ::SSL_set_accept_state(session->ssl.get());
  return std::unique_ptr<TlsSession>(new TlsSession(std::move(session)));
}

}  // namespace millrace
