// What another serializer writes, packed by a codec of Hadoop: fileType CompressedStream.
#pragma once

#include <memory>
#include <string>

#include "core/serializer.h"
#include "serializer/hadoop_codec/hadoop_codec.h"

namespace millrace {

// Each flush() ends a member (snappy, lz4: a block), so that what is in the file by then can be
// unpacked whole; members of one file are read as one stream. Memory: the packed bytes since the
// last flush(). Threads: its sink's.
class CompressedSerializer final : public EventSerializer {
 public:
  // `codec` is not kNone.
  CompressedSerializer(std::unique_ptr<EventSerializer> inner, HadoopCodec codec,
                       std::size_t buffer_bytes = kHadoopBufferBytes)
      : inner_(std::move(inner)), compressor_(make_hadoop_compressor(codec, buffer_bytes)) {}

  FileContents contents() const override { return inner_->contents(); }  // Once unpacked.
  bool takes_all() const override { return inner_->takes_all(); }
  Result<> check(const EventRef& event) override { return inner_->check(event); }
  Result<> begin(std::string& out) override;
  Result<> append(const EventBatch& batch, std::string& out) override;
  Result<> flush(std::string& out) override;
  void drop_open() override;
  Result<> end(std::string& out) override;

 private:
  Result<> pack();
  Result<> end_member(std::string& out);

  const std::unique_ptr<EventSerializer> inner_;
  const std::unique_ptr<Compressor> compressor_;
  std::string raw_;
  bool is_open_ = false;  // A member is.
};

}  // namespace millrace
