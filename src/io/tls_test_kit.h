// For tests of TLS: a certificate made on the spot, and a blocking client.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <string_view>

#include "io/tcp_test_client.h"
#include "io/temp_folder.h"

namespace millrace {

template <class T>
using OpensslPtr = std::unique_ptr<T, void (*)(T*)>;

// A key and a self-signed certificate in one PEM file, in a folder of its own; removed at the end.
class TestKeystore {
 public:
  explicit TestKeystore(const std::string& password = {}) {
    const OpensslPtr<EVP_PKEY> key(::EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"),
                                   ::EVP_PKEY_free);
    const OpensslPtr<X509> certificate(::X509_new(), ::X509_free);
    ::X509_set_version(certificate.get(), 2);
    ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate.get()), 1);
    ::X509_gmtime_adj(::X509_getm_notBefore(certificate.get()), -60);
    ::X509_gmtime_adj(::X509_getm_notAfter(certificate.get()), 3600);
    ::X509_set_pubkey(certificate.get(), key.get());
    X509_NAME* const name = ::X509_get_subject_name(certificate.get());
    ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                 reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
    ::X509_set_issuer_name(certificate.get(), name);
    EXPECT_GT(::X509_sign(certificate.get(), key.get(), ::EVP_sha256()), 0);
    const OpensslPtr<BIO> file(::BIO_new_file(pem().c_str(), "w"), ::BIO_free_all);
    EXPECT_EQ(::PEM_write_bio_X509(file.get(), certificate.get()), 1);
    const EVP_CIPHER* const cipher = password.empty() ? nullptr : ::EVP_aes_256_cbc();
    EXPECT_EQ(::PEM_write_bio_PrivateKey(file.get(), key.get(), cipher,
                                         reinterpret_cast<const unsigned char*>(
                                             password.empty() ? nullptr : password.data()),
                                         static_cast<int>(password.size()), nullptr, nullptr),
              1);
  }
  std::string pem() const { return (folder_ / "keystore.pem").string(); }
  // Another file of the folder, with these bytes.
  std::string file(const std::string& name, std::string_view bytes) const {
    std::string path = (folder_ / name).string();
    const OpensslPtr<BIO> out(::BIO_new_file(path.c_str(), "wb"), ::BIO_free_all);
    EXPECT_EQ(::BIO_write(out.get(), bytes.data(), static_cast<int>(bytes.size())),
              static_cast<int>(bytes.size()));
    return path;
  }

 private:
  const TempFolder folder_;
};

// Blocking; trusts any certificate. Highest version: TLS1_3_VERSION and so on.
class TlsTestClient {
 public:
  explicit TlsTestClient(std::uint16_t port, int lowest = TLS1_2_VERSION,
                         int highest = TLS1_3_VERSION)
      : socket_(port) {
    ::SSL_CTX_set_security_level(context_.get(), 0);
    ::SSL_CTX_set_min_proto_version(context_.get(), lowest);
    ::SSL_CTX_set_max_proto_version(context_.get(), highest);
    ssl_.reset(::SSL_new(context_.get()));
    ::SSL_set_fd(ssl_.get(), socket_.descriptor());
    connected_ = ::SSL_connect(ssl_.get()) == 1;
  }
  bool connected() const { return connected_; }
  std::string version() const { return ::SSL_get_version(ssl_.get()); }
  std::string suite() const {
    return ::SSL_CIPHER_standard_name(::SSL_get_current_cipher(ssl_.get()));
  }
  void send(std::string_view bytes) {
    std::size_t written = 0;
    ASSERT_EQ(::SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written), 1);
    ASSERT_EQ(written, bytes.size());
  }
  std::string receive(std::size_t size) {
    std::string got(size, '\0');
    std::size_t done = 0;
    while (done < size) {
      std::size_t part = 0;
      if (::SSL_read_ex(ssl_.get(), got.data() + done, size - done, &part) != 1) {
        break;
      }
      done += part;
    }
    got.resize(done);
    return got;
  }
  void close_notify() { ::SSL_shutdown(ssl_.get()); }
  TestClient& socket() { return socket_; }

 private:
  TestClient socket_;
  OpensslPtr<SSL_CTX> context_{::SSL_CTX_new(::TLS_client_method()), ::SSL_CTX_free};
  OpensslPtr<SSL> ssl_{nullptr, ::SSL_free};
  bool connected_ = false;
};

}  // namespace millrace
