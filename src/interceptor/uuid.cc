// A random id for each event (Flume 1.11, org.apache.flume.sink.solr.morphline.UUIDInterceptor).
#include <sys/random.h>

#include <array>
#include <span>

#include "base/check.h"
#include "core/header_appender.h"
#include "core/registry.h"

namespace millrace {
namespace {

// Random bytes of the kernel, taken 4 KiB at a time. Threads: one.
class RandomBytes {
 public:
  using Sixteen = std::span<unsigned char, 16>;

  Sixteen next() {
    if (used_ == bytes_.size()) {
      fill();
    }
    used_ += kSize;
    return std::span(bytes_).subspan(used_ - kSize).first<kSize>();
  }

 private:
  static constexpr std::size_t kSize = 16;

  void fill() {
    for (std::size_t have = 0; have < bytes_.size();) {
      const ssize_t got = getrandom(bytes_.data() + have, bytes_.size() - have, 0);
      CHECK(got > 0 || errno == EINTR);
      have += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    used_ = 0;
  }

  std::array<unsigned char, 4096> bytes_{};
  std::size_t used_ = 4096;
};

constexpr std::size_t kUuidLength = 36;

// RFC 4122, version 4.
void write_uuid(RandomBytes::Sixteen bytes, char* out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  bytes[6] = static_cast<unsigned char>(0x40 | (bytes[6] & 0x0F));
  bytes[8] = static_cast<unsigned char>(0x80 | (bytes[8] & 0x3F));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) {
      *out++ = '-';
    }
    *out++ = kHex[bytes[i] >> 4];
    *out++ = kHex[bytes[i] & 15];
  }
}

}  // namespace

struct UuidInterceptorConfig {
  std::string header_name = "id";
  bool preserve_existing = true;
  std::string prefix;

  static constexpr auto fields() {
    using C = UuidInterceptorConfig;
    return std::tuple{
        field("headerName", &C::header_name, "Name of the header."),
        field("preserveExisting", &C::preserve_existing, "Leave a header of that name as it is."),
        field("prefix", &C::prefix, "What stands before each id."),
    };
  }
};

class UuidInterceptor final : public Interceptor {
 public:
  using Config = UuidInterceptorConfig;
  UuidInterceptor(Config config, const InterceptorContext&)
      : config_(std::move(config)), id_(config_.prefix + std::string(kUuidLength, '\0')) {}

  void apply(EventBatch::Builder& batch) override {
    HeaderAppender headers(batch, std::span(&config_.header_name, 1));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!config_.preserve_existing || !headers.has_any(batch[i])) {
        write_uuid(random_.next(), id_.data() + config_.prefix.size());
        const std::optional<std::string_view> value = id_;
        headers.set(batch[i], std::span(&value, 1));
      }
    }
  }

 private:
  const Config config_;
  std::string id_;  // The prefix, and the last id.
  RandomBytes random_;
};

const RegisterInterceptor<UuidInterceptor> uuid_entry{
    "uuid", "org.apache.flume.sink.solr.morphline.UUIDInterceptor",
    "Adds a random UUID to each event."};

}  // namespace millrace
