#include "base/aead.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace millrace {
namespace {

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* raw(char* bytes) {
  return reinterpret_cast<unsigned char*>(bytes);
}

int length_of(std::size_t size) {
  CHECK(size <= INT_MAX);
  return static_cast<int>(size);
}

OSSL_PARAM octets(const char* name, std::string_view bytes) {
  return ::OSSL_PARAM_construct_octet_string(name, const_cast<char*>(bytes.data()), bytes.size());
}

}  // namespace

SecretBytes::SecretBytes(std::size_t size)
    : bytes_(std::make_unique<unsigned char[]>(size)), size_(size) {}

SecretBytes::SecretBytes(std::string_view bytes) : SecretBytes(bytes.size()) {
  std::copy_n(raw(bytes), bytes.size(), bytes_.get());
}

SecretBytes::SecretBytes(SecretBytes&& other) noexcept
    : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}

SecretBytes& SecretBytes::operator=(SecretBytes&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}

SecretBytes::~SecretBytes() {
  if (bytes_ != nullptr) {
    ::OPENSSL_cleanse(bytes_.get(), size_);
  }
}

void wipe(std::string& text) {
  ::OPENSSL_cleanse(text.data(), text.size());
  text.clear();
}

void fill_random(std::span<std::uint8_t> bytes) {
  CHECK(::RAND_bytes(bytes.data(), length_of(bytes.size())) == 1);
}

SecretBytes hkdf_sha256(const SecretBytes& key, std::string_view salt, std::string_view info,
                        std::size_t bytes) {
  SecretBytes derived(bytes);
  EVP_KDF* const kdf = ::EVP_KDF_fetch(nullptr, "HKDF", nullptr);
  EVP_KDF_CTX* const context = ::EVP_KDF_CTX_new(kdf);
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      ::OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      octets(OSSL_KDF_PARAM_KEY, {reinterpret_cast<const char*>(key.data()), key.size()}),
      octets(OSSL_KDF_PARAM_SALT, salt),
      octets(OSSL_KDF_PARAM_INFO, info),
      ::OSSL_PARAM_construct_end(),
  };
  CHECK(::EVP_KDF_derive(context, derived.data(), derived.size(), parameters) == 1);
  ::EVP_KDF_CTX_free(context);
  ::EVP_KDF_free(kdf);
  return derived;
}

AesGcm::AesGcm(const SecretBytes& key) : context_(::EVP_CIPHER_CTX_new()) {
  CHECK(key.size() == 16 || key.size() == 32);
  const EVP_CIPHER* const cipher = key.size() == 16 ? ::EVP_aes_128_gcm() : ::EVP_aes_256_gcm();
  CHECK(::EVP_CipherInit_ex2(context_, cipher, key.data(), nullptr, 1, nullptr) == 1);
}

AesGcm::~AesGcm() {
  ::EVP_CIPHER_CTX_free(context_);  // Wipes the key.
}

void AesGcm::begin(const Nonce& nonce, std::string_view known) {
  int size = 0;
  CHECK(::EVP_CipherInit_ex2(context_, nullptr, nullptr, nonce.data(), 1, nullptr) == 1);
  CHECK(::EVP_CipherUpdate(context_, nullptr, &size, raw(known), length_of(known.size())) == 1);
}

void AesGcm::seal(std::string_view text, char* out) {
  int size = 0;
  CHECK(::EVP_CipherUpdate(context_, raw(out), &size, raw(text), length_of(text.size())) == 1);
}

void AesGcm::finish(char* tag) {
  unsigned char none[kTagBytes];
  int size = 0;
  CHECK(::EVP_CipherFinal_ex(context_, none, &size) == 1);
  CHECK(::EVP_CIPHER_CTX_ctrl(context_, EVP_CTRL_AEAD_GET_TAG, kTagBytes, tag) == 1);
}

bool AesGcm::open(const Nonce& nonce, std::string_view known, std::span<char> text,
                  std::string_view tag) {
  CHECK(tag.size() == kTagBytes);
  unsigned char none[kTagBytes];
  char expected[kTagBytes];
  std::memcpy(expected, tag.data(), sizeof expected);
  int size = 0;
  CHECK(::EVP_CipherInit_ex2(context_, nullptr, nullptr, nonce.data(), 0, nullptr) == 1);
  CHECK(::EVP_CipherUpdate(context_, nullptr, &size, raw(known), length_of(known.size())) == 1);
  CHECK(::EVP_CipherUpdate(context_, raw(text.data()), &size, raw(text.data()),
                           length_of(text.size())) == 1);
  CHECK(::EVP_CIPHER_CTX_ctrl(context_, EVP_CTRL_AEAD_SET_TAG, kTagBytes, expected) == 1);
  const bool fits = ::EVP_CipherFinal_ex(context_, none, &size) == 1;
  if (!fits) {
    ::ERR_clear_error();  // Else it is taken for one of whoever asks OpenSSL next.
    std::fill(text.begin(), text.end(), '\0');
  }
  return fits;
}

}  // namespace millrace
