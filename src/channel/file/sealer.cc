#include "channel/file/sealer.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace millrace::file_channel {

// The pieces as one run of bytes.
class Sealer::Input {
 public:
  explicit Input(std::span<const iovec> pieces) : pieces_(pieces) {
    for (const iovec& piece : pieces_) {
      left_ += piece.iov_len;
    }
  }
  std::uint64_t left() const { return left_; }

  // Gives the next bytes to `use`, as many parts as they lie in.
  template <class Use>
  void take(std::uint64_t bytes, Use use) {
    CHECK(bytes <= left_);
    left_ -= bytes;
    while (bytes > 0) {
      const iovec& piece = pieces_.front();
      const std::size_t part = std::min<std::uint64_t>(bytes, piece.iov_len - at_);
      use(std::string_view(static_cast<const char*>(piece.iov_base) + at_, part));
      bytes -= part;
      at_ += part;
      if (at_ == piece.iov_len) {
        pieces_ = pieces_.subspan(1);
        at_ = 0;
      }
    }
  }
  void copy(std::uint64_t bytes, char* out) {
    take(bytes, [&](std::string_view part) {
      std::memcpy(out, part.data(), part.size());
      out += part.size();
    });
  }
  void skip(std::uint64_t bytes) {
    take(bytes, [](std::string_view) {});
  }

 private:
  std::span<const iovec> pieces_;
  std::size_t at_ = 0;  // In the first of them.
  std::uint64_t left_ = 0;
};

void Sealer::enter(const SegmentKey& key) {
  cipher_.emplace(key.bytes());
  sealed_to_ = 0;
}

void Sealer::make_room(std::uint64_t bytes) {
  if (bytes > capacity_) {
    buffer_ = std::make_unique_for_overwrite<char[]>(bytes);
    capacity_ = bytes;
  }
}

iovec Sealer::seal(std::span<const iovec> pieces, std::uint64_t plain, std::uint64_t position) {
  Input input(pieces);
  const std::uint64_t size = input.left();
  CHECK(position >= sealed_to_);  // Else a nonce would come twice.
  sealed_to_ = position + size;
  make_room(size);
  input.copy(plain, buffer_.get());
  char* out = buffer_.get() + plain;
  while (char* const end =
             seal_record(input, out, position + static_cast<std::uint64_t>(out - buffer_.get()))) {
    out = end;
  }
  return {buffer_.get(), size};
}

char* Sealer::seal_record(Input& input, char* out, std::uint64_t offset) {
  RecordHeader header;
  const std::uint64_t left = input.left();
  input.copy(std::min<std::uint64_t>(left, sizeof header), out);
  if (left >= sizeof header) {
    std::memcpy(&header, out, sizeof header);
  }
  if (header.magic == 0) {  // The padding behind the last one.
    input.copy(input.left(), out + (left - input.left()));
    return nullptr;
  }
  const std::optional<std::uint64_t> payload = sealed_payload(header.length - sizeof header);
  CHECK(payload.has_value());
  header.index_crc = 0;  // It would tell of the text.
  std::memcpy(out, &header, sizeof header);
  seal_record_header(out, header.generation);
  const std::string_view known(out, sizeof header);
  char* tag = out + sizeof header;
  input.skip(tag_bytes(*payload));
  char* text = tag + tag_bytes(*payload);
  char* const end = text + *payload;
  for (std::uint64_t chunk = 0; tag != end - *payload; ++chunk) {
    cipher_->begin(nonce_of(offset, chunk), known);
    input.take(std::min<std::uint64_t>(static_cast<std::uint64_t>(end - text), kSealedChunk),
               [&](std::string_view part) {
                 cipher_->seal(part, text);
                 text += part.size();
               });
    cipher_->finish(tag);
    tag += AesGcm::kTagBytes;
  }
  const std::uint64_t padding = round_up(header.length, kRecordAlignment) - header.length;
  input.copy(padding, end);
  return end + padding;
}

}  // namespace millrace::file_channel
