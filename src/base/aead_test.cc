// Vectors: RFC 5869 appendix A; test cases 1, 4 and 16 of the GCM specification that NIST took up.
#include "base/aead.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

std::string run(int from, int to) {
  std::string bytes;
  for (int i = from; i <= to; ++i) {
    bytes += static_cast<char>(i);
  }
  return bytes;
}

std::string derive(const std::string& key, const std::string& salt, const std::string& info,
                   std::size_t bytes) {
  const SecretBytes derived = hkdf_sha256(SecretBytes(key), salt, info, bytes);
  return {reinterpret_cast<const char*>(derived.data()), derived.size()};
}

TEST(HkdfTest, GivesWhatTheRfcGives) {
  const std::string key(22, '\x0b');
  EXPECT_EQ(derive(key, run(0x00, 0x0c), run(0xf0, 0xf9), 42),
            from_hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b8"
                     "87185865"));
  EXPECT_EQ(derive(run(0x00, 0x4f), run(0x60, 0xaf), run(0xb0, 0xff), 82),
            from_hex("b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7"
                     "827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5"
                     "c1f3434f1d87"));
  EXPECT_EQ(derive(key, "", "", 42),
            from_hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4"
                     "b61a96c8"));
}

struct GcmVector {
  const char* key;
  const char* nonce;
  const char* known;
  const char* text;
  const char* sealed;
  const char* tag;
};

constexpr const char* kText =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b5"
    "25b16aedf5aa0de657ba637b39";
constexpr const char* kKnown = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
constexpr GcmVector kVectors[] = {
    {"00000000000000000000000000000000", "000000000000000000000000", "", "", "",
     "58e2fccefa7e3061367f1d57a4e7455a"},
    {"feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888", kKnown, kText,
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84"
     "aa051ba30b396a0aac973d58e091",
     "5bc94fbc3221a5db94fae95ae7121a47"},
    {"feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
     kKnown, kText,
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b105682"
     "8838c5f61e6393ba7a0abcc9f662",
     "76fc6ece0f4e1768cddf8853bb2d551b"},
};

AesGcm::Nonce nonce_of(const GcmVector& vector) {
  AesGcm::Nonce nonce;
  const std::string bytes = from_hex(vector.nonce);
  std::copy(bytes.begin(), bytes.end(), nonce.begin());
  return nonce;
}

TEST(AesGcmTest, SealsInPiecesAndOpensWhatTheSpecificationGives) {
  for (const GcmVector& vector : kVectors) {
    SCOPED_TRACE(vector.tag);
    AesGcm cipher(SecretBytes(from_hex(vector.key)));
    const std::string text = from_hex(vector.text);
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{16}, text.size()}) {
      std::string sealed(text.size(), '\0');
      std::string tag(AesGcm::kTagBytes, '\0');
      cipher.begin(nonce_of(vector), from_hex(vector.known));
      for (std::size_t at = 0; at < text.size(); at += step) {
        cipher.seal(std::string_view(text).substr(at, step), sealed.data() + at);
      }
      cipher.finish(tag.data());
      EXPECT_EQ(sealed, from_hex(vector.sealed));
      EXPECT_EQ(tag, from_hex(vector.tag));
      EXPECT_TRUE(cipher.open(nonce_of(vector), from_hex(vector.known), sealed, tag));
      EXPECT_EQ(sealed, text);
    }
  }
}

TEST(AesGcmTest, OpensNothingOfWhichABitIsWrong) {
  AesGcm cipher(SecretBytes(std::string(32, 'k')));
  const AesGcm::Nonce nonce{1, 2, 3};
  std::string whole(40 + AesGcm::kTagBytes, 'x');  // Text and tag.
  cipher.begin(nonce, "known");
  cipher.seal(std::string(40, 'x'), whole.data());
  cipher.finish(whole.data() + 40);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string bad = whole;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    std::string text = bad.substr(0, 40);
    EXPECT_FALSE(cipher.open(nonce, "known", text, bad.substr(40)));
    EXPECT_EQ(text, std::string(40, '\0'));
  }
  std::string text = whole.substr(0, 40);
  EXPECT_FALSE(cipher.open(nonce, "unknown", text, whole.substr(40)));
  text = whole.substr(0, 40);
  EXPECT_FALSE(cipher.open({1, 2, 4}, "known", text, whole.substr(40)));
  text = whole.substr(0, 40);
  EXPECT_TRUE(cipher.open(nonce, "known", text, whole.substr(40)));
}

TEST(SecretBytesTest, MovesAndWipes) {
  SecretBytes key("0123456789abcdef");
  const SecretBytes moved(std::move(key));
  EXPECT_EQ(moved.size(), 16U);
  EXPECT_EQ(key.size(), 0U);  // NOLINT(bugprone-use-after-move): that is what is tested.
  std::string text = "secret";
  const char* const place = text.data();
  wipe(text);
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(place[0], '\0');
}

}  // namespace
}  // namespace millrace
