// AES-GCM and HKDF by OpenSSL, and bytes that are wiped when they are no longer needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_cipher_ctx_st;

namespace millrace {

// Key material: never copied, overwritten before its memory is given back.
class SecretBytes {
 public:
  SecretBytes() = default;
  explicit SecretBytes(std::size_t size);
  explicit SecretBytes(std::string_view bytes);
  SecretBytes(SecretBytes&& other) noexcept;
  SecretBytes& operator=(SecretBytes&& other) noexcept;
  ~SecretBytes();

  unsigned char* data() { return bytes_.get(); }
  const unsigned char* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }

 private:
  std::unique_ptr<unsigned char[]> bytes_;
  std::size_t size_ = 0;
};

// Overwrites the text where it lies, and empties it.
void wipe(std::string& text);

void fill_random(std::span<std::uint8_t> bytes);  // From OpenSSL's generator.

// RFC 5869 with SHA-256: `bytes` of key material.
SecretBytes hkdf_sha256(const SecretBytes& key, std::string_view salt, std::string_view info,
                        std::size_t bytes);

// AES-128-GCM or AES-256-GCM (NIST SP 800-38D), as the key has 16 or 32 bytes. A nonce must never
// be used twice with the same key for sealing: the caller sees to that. Threads: one.
class AesGcm {
 public:
  static constexpr std::size_t kNonceBytes = 12;
  static constexpr std::size_t kTagBytes = 16;
  using Nonce = std::array<std::uint8_t, kNonceBytes>;

  explicit AesGcm(const SecretBytes& key);
  ~AesGcm();
  AesGcm(const AesGcm&) = delete;
  AesGcm& operator=(const AesGcm&) = delete;

  // A message is begun, its text is sealed piece by piece, and its tag comes last. `known` is
  // authenticated and not encrypted.
  void begin(const Nonce& nonce, std::string_view known);
  void seal(std::string_view text, char* out);  // As many bytes.
  void finish(char* tag);

  // Decrypts in place. False when the tag does not fit: then `text` is all zeros.
  [[nodiscard]] bool open(const Nonce& nonce, std::string_view known, std::span<char> text,
                          std::string_view tag);

 private:
  evp_cipher_ctx_st* const context_;
};

}  // namespace millrace
