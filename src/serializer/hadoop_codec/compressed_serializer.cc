#include "serializer/hadoop_codec/compressed_serializer.h"

#include <algorithm>

namespace millrace {

// Whatever a format starts with has a member of its own: a transaction that is taken back later
// leaves it.
Result<> CompressedSerializer::begin(std::string& out) {
  drop_open();
  TRY(inner_->begin(raw_));
  TRY(pack());
  return end_member(out);
}

Result<> CompressedSerializer::append(const EventBatch& batch, std::string&) {
  TRY(inner_->append(batch, raw_));
  return raw_.size() >= Compressor::kPieceBytes ? pack() : Result<>();
}

Result<> CompressedSerializer::flush(std::string& out) {
  TRY(inner_->flush(raw_));
  TRY(pack());
  return end_member(out);
}

void CompressedSerializer::drop_open() {
  inner_->drop_open();
  compressor_->reset();
  raw_.clear();
  is_open_ = false;
}

Result<> CompressedSerializer::end(std::string& out) {
  TRY(inner_->end(raw_));
  TRY(pack());
  return end_member(out);
}

Result<> CompressedSerializer::pack() {
  const std::string_view all = raw_;
  for (std::size_t from = 0; from < all.size(); from += Compressor::kPieceBytes) {
    is_open_ = true;
    TRY(compressor_->add(all.substr(from, Compressor::kPieceBytes)));
  }
  raw_.clear();
  return {};
}

Result<> CompressedSerializer::end_member(std::string& out) {
  if (is_open_) {
    is_open_ = false;
    out += TRY(compressor_->finish());
  }
  return {};
}

}  // namespace millrace
