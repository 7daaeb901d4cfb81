#include "serializer/hadoop_codec/codec_reader.h"

#include <utility>

#include "base/bytes.h"
#include "serializer/hadoop_codec/block_codec.h"

namespace millrace {
namespace {

constexpr std::size_t kStepBytes = std::size_t{64} << 10;  // Unpacked at once.
constexpr std::size_t kMostChunk = std::size_t{64} << 20;  // Packed; Hadoop's have 256 KiB.
constexpr std::size_t kLengthBytes = sizeof(std::uint32_t);

}  // namespace

CodecReader::CodecReader(HadoopCodec codec, ByteSource source, std::string name)
    : codec_(codec),
      stream_(make_hadoop_decompressor(codec)),
      window_(std::move(source)),
      name_(std::move(name)) {}

Result<std::string_view> CodecReader::next() {
  if (end_ == FileEnd::kTorn || end_ == FileEnd::kDamaged) {
    return corrupt(problem_);
  }
  if (end_ == FileEnd::kBorder) {
    return std::string_view();
  }
  out_.clear();
  return is_block_codec(codec_) ? next_chunk() : next_of_member();
}

Result<std::string_view> CodecReader::next_of_member() {
  while (out_.empty()) {
    std::string_view packed = TRY(window_.view(kStepBytes));
    if (!in_member_) {
      if (packed.empty()) {
        end_ = FileEnd::kBorder;
        break;
      }
      TRY(stream_->restart());
      in_member_ = true;
    }
    const std::size_t before = packed.size();
    std::size_t used = 0;
    const Result<bool> ended = stream_->step(packed, {out_.room(kStepBytes), kStepBytes}, used);
    if (!ended.ok()) {
      return stop(FileEnd::kDamaged, ended.error().message());
    }
    out_.take(used);
    window_.skip(before - packed.size());
    if (*ended) {
      in_member_ = false;
      whole_bytes_ = window_.position();
    } else if (used == 0 && before == packed.size()) {
      return stop(FileEnd::kTorn, "the stream is cut short");
    }
  }
  return out_.view();
}

Result<std::string_view> CodecReader::next_chunk() {
  while (raw_left_ == 0) {
    whole_bytes_ = window_.position();
    if (TRY(window_.view(1)).empty()) {
      end_ = FileEnd::kBorder;
      return std::string_view();
    }
    raw_left_ = TRY(read_length());
  }
  const std::size_t size = TRY(read_length());
  if (size > kMostChunk) {
    return stop(FileEnd::kDamaged, "a chunk of " + std::to_string(size) + " bytes");
  }
  const std::string_view there = TRY(window_.view(size));
  if (there.size() < size) {
    return stop(FileEnd::kTorn, "a chunk is cut short");
  }
  const Result<> unpacked = unpack_chunk(codec_, there.substr(0, size), raw_left_, out_);
  if (!unpacked.ok() || out_.empty()) {
    return stop(FileEnd::kDamaged,
                unpacked.ok() ? "a chunk of no bytes" : unpacked.error().message());
  }
  window_.skip(size);
  raw_left_ -= out_.size();
  if (raw_left_ == 0) {
    whole_bytes_ = window_.position();
  }
  return out_.view();
}

Result<std::uint32_t> CodecReader::read_length() {
  ByteReader bytes(TRY(window_.view(kLengthBytes)));
  const Result<std::uint32_t> length = bytes.big<std::uint32_t>();
  if (!length.ok()) {
    return stop(FileEnd::kTorn, "a length is cut short");
  }
  window_.skip(kLengthBytes);
  return *length;
}

Error CodecReader::stop(FileEnd end, std::string_view what) {
  end_ = end;
  problem_ = name_ + " at byte " + std::to_string(window_.position()) + ": " + std::string(what);
  return corrupt(problem_);
}

}  // namespace millrace
