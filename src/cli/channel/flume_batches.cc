#include "cli/channel/flume_batches.h"

#include <utility>
#include <variant>

namespace millrace {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{2} << 20;

}  // namespace

Result<BatchPtr> FlumeBatches::next() {
  EventBatch::Builder builder(space_);
  bytes_ = 0;
  shared_block_ = {};
  while (next_ < events_.size() && builder.size() < batch_events_ && bytes_ < kBatchBytes) {
    flume_log::EventReader::Read read = TRY(reader_.read(events_[next_]));
    if (const auto* const event = std::get_if<const flume_log::StoredEvent*>(&read)) {
      TRY(add(**event, builder));
    } else if (auto* const damage = std::get_if<flume_log::Damage>(&read)) {
      damages_.push_back(std::move(*damage));
    } else {
      ++removed_;
    }
    ++next_;
  }
  return builder.empty() ? BatchPtr() : builder.seal();
}

Result<> FlumeBatches::add(const flume_log::StoredEvent& event, EventBatch::Builder& builder) {
  HeaderEditor headers;
  for (const auto& [key, value] : event.headers) {
    headers.set(key, value);
  }
  std::string block = headers.encode();
  if (shared_block_.empty() || block != last_headers_) {
    shared_block_ = builder.store_header_block(block);
    last_headers_ = std::move(block);
  }
  const std::string_view body = builder.store_body(event.body);
  if (body.data() == nullptr || shared_block_.data() == nullptr) {
    return transient("the memory for events is too small for an event; give more with -Xmx");
  }
  builder.add(body, shared_block_);
  bytes_ += body.size() + last_headers_.size();
  return {};
}

}  // namespace millrace
