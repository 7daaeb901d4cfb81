#include <openssl/bio.h>
#include <openssl/err.h>
#include <sys/socket.h>

#include <cerrno>
#include <climits>
#include <cstdint>

#include "io/tls_session_state.h"

namespace millrace {
namespace {

int descriptor_of(BIO* bio) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(::BIO_get_data(bio)));
}

// Does recv() or send() until no signal disturbs it, and tells OpenSSL how to go on.
template <class Call>
int transfer(BIO* bio, std::size_t* done, int retry_flags, const Call& call) {
  BIO_clear_retry_flags(bio);
  for (;;) {
    const ssize_t count = call(descriptor_of(bio));
    if (count > 0) {
      *done = static_cast<std::size_t>(count);
      return 1;
    }
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count == 0) {
      ::BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      ::BIO_set_flags(bio, retry_flags | BIO_FLAGS_SHOULD_RETRY);
    }
    *done = 0;
    return 0;
  }
}

int bio_read(BIO* bio, char* space, std::size_t size, std::size_t* done) {
  return transfer(bio, done, BIO_FLAGS_READ,
                  [&](int descriptor) { return ::recv(descriptor, space, size, 0); });
}

int bio_write(BIO* bio, const char* bytes, std::size_t size, std::size_t* done) {
  return transfer(bio, done, BIO_FLAGS_WRITE,
                  [&](int descriptor) { return ::send(descriptor, bytes, size, MSG_NOSIGNAL); });
}

long bio_control(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_EOF) {
    return ::BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  }
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

BIO_METHOD* socket_method() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = ::BIO_meth_new(::BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    if (made != nullptr) {
      ::BIO_meth_set_read_ex(made, bio_read);
      ::BIO_meth_set_write_ex(made, bio_write);
      ::BIO_meth_set_ctrl(made, bio_control);
    }
    return made;
  }();
  return method;
}

// Why a call on `ssl` did not do all: `result` is what it returned.
TlsSession::Step step_of(SSL* ssl, int result, std::string& error) {
  const int number = errno;
  switch (::SSL_get_error(ssl, result)) {
    case SSL_ERROR_WANT_READ:
      return TlsSession::Step::kWantRead;
    case SSL_ERROR_WANT_WRITE:
      return TlsSession::Step::kWantWrite;
    case SSL_ERROR_ZERO_RETURN:
      return TlsSession::Step::kEnd;
    case SSL_ERROR_SYSCALL:
      if (::ERR_peek_error() == 0) {
        error = system_error("TLS connection", number).message();
        return TlsSession::Step::kError;
      }
      break;
    default:
      break;
  }
  error = openssl_error();
  return TlsSession::Step::kError;
}

}  // namespace

BIO* make_socket_bio(int descriptor) {
  BIO* const bio = socket_method() != nullptr ? ::BIO_new(socket_method()) : nullptr;
  if (bio != nullptr) {
    ::BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)));
    ::BIO_set_init(bio, 1);
  }
  return bio;
}

std::string openssl_error() {
  const unsigned long code = ::ERR_get_error();
  ::ERR_clear_error();
  const char* const reason = ::ERR_reason_error_string(code);
  return reason != nullptr ? reason : "unknown TLS error";
}

TlsSession::TlsSession(std::unique_ptr<State> state) : state_(std::move(state)) {}
TlsSession::~TlsSession() = default;

TlsSession::Step TlsSession::handshake() {
  ::ERR_clear_error();
  const int result = ::SSL_do_handshake(state_->ssl.get());
  return result == 1 ? Step::kDone : step_of(state_->ssl.get(), result, state_->error);
}

TlsSession::Step TlsSession::read(std::span<char> space, std::size_t& count) {
  ::ERR_clear_error();
  count = 0;
  while (count < space.size()) {
    std::size_t part = 0;
    const int result =
        ::SSL_read_ex(state_->ssl.get(), space.data() + count, space.size() - count, &part);
    if (result != 1) {
      state_->more_may_wait = false;
      const Step step = step_of(state_->ssl.get(), result, state_->error);
      if (count > 0) {
        // What was read counts first; an end or an error shows again at the next call, at once.
        state_->more_may_wait = step == Step::kEnd || step == Step::kError;
        return Step::kDone;
      }
      return step;
    }
    count += part;
  }
  state_->more_may_wait = true;
  return Step::kDone;
}

TlsSession::Step TlsSession::write(std::string_view bytes, std::size_t& count) {
  ::ERR_clear_error();
  count = 0;
  const int result = ::SSL_write_ex(state_->ssl.get(), bytes.data(), bytes.size(), &count);
  return result == 1 ? Step::kDone : step_of(state_->ssl.get(), result, state_->error);
}

bool TlsSession::has_pending() const {
  return state_->more_may_wait;
}

void TlsSession::close_notify() {
  ::ERR_clear_error();
  ::SSL_shutdown(state_->ssl.get());
  ::ERR_clear_error();
}

const std::string& TlsSession::error() const {
  return state_->error;
}

}  // namespace millrace
