// The server's side of TLS over a socket that does not block, by OpenSSL: decrypted bytes go
// straight into the caller's memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace {

// What a server needs to know, in Flume's terms: protocols as Java names them ("TLSv1.2"), cipher
// suites as Java ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256") or OpenSSL names them.
struct TlsServerSettings {
  std::string keystore;           // PEM file: key and certificate chain.
  std::string keystore_password;  // Of an encrypted key.
  std::vector<std::string> include_protocols;
  std::vector<std::string> exclude_protocols;
  std::vector<std::string> include_cipher_suites;
  std::vector<std::string> exclude_cipher_suites;
};

// One connection's TLS. Threads: its connection's loop.
class TlsSession {
 public:
  enum class Step { kDone, kWantRead, kWantWrite, kEnd, kError };

  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  Step handshake();
  // kDone: 1..size bytes, their number in `count`.
  Step read(std::span<char> space, std::size_t& count);
  Step write(std::string_view bytes, std::size_t& count);
  bool has_pending() const;  // Decrypted bytes that no socket event will announce.
  void close_notify();       // Tells the peer that nothing follows, as far as that does not block.
  const std::string& error() const;  // Why the last kError.

 private:
  friend class TlsContext;
  struct State;
  explicit TlsSession(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Key, certificates and rules of a listening port: TLS 1.2 and 1.3, whatever else is asked for. No
// client certificate is requested, as in Flume. Threads: any; never changes.
class TlsContext {
 public:
  // kConfig when the keystore cannot be used, or no protocol or cipher suite is left over. A JKS or
  // PKCS12 keystore is told by its first bytes and refused with the command that turns it into PEM.
  static Result<std::shared_ptr<const TlsContext>> make(const TlsServerSettings& settings);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // Null when OpenSSL has no memory for it.
  std::unique_ptr<TlsSession> open_session(int descriptor) const;

 private:
  struct State;
  explicit TlsContext(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace millrace
