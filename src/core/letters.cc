#include "core/letters.h"

#include <cstdint>
#include <optional>

#include "core/dead_letter.h"

namespace millrace {
namespace {

// Writes the header blocks of the letters; neighbours that share one, and a reason, still do.
class LetterHeaders {
 public:
  LetterHeaders(EventBatch::Builder& builder, const Letterhead& head, const Clock& clock)
      : builder_(builder), head_(head), time_(std::to_string(clock.wall_ms())) {}

  std::string_view of(const EventRef& event, std::string_view reason) {
    if (event.headers_data == event_block_ && reason == reason_) {
      return block_;
    }
    event_block_ = event.headers_data;
    reason_ = reason;
    HeaderEditor headers(event.header_block());
    headers.set(letter_header::kReason, reason);
    headers.set(letter_header::kTime, time_);
    headers.set(letter_header::kComponent, head_.component);
    headers.set(letter_header::kTakenFrom, head_.taken_from);
    block_ = builder_.store_headers(headers);
    return block_;
  }

 private:
  EventBatch::Builder& builder_;
  const Letterhead& head_;
  const std::string time_;
  const char* event_block_ = nullptr;
  std::string_view reason_;
  std::string_view block_;
};

}  // namespace

BatchPtr letters_of(const Rejects& rejects, const TakeTransaction& taken, const Letterhead& head,
                    const Clock& clock, BatchSpace& space) {
  EventBatch::Builder builder(space);
  LetterHeaders headers(builder, head, clock);
  std::optional<std::uint32_t> kept;
  for (const Rejects::Reject& reject : rejects.all()) {
    const EventBatch& batch = taken.batch(reject.lease);
    if (kept != reject.lease) {
      kept = reject.lease;
      for (const SlabRange& range : batch.ranges()) {
        builder.keep_bytes(range.slab, range.bytes());
      }
    }
    const EventRef& event = batch[reject.event];
    builder.add(event.body(), headers.of(event, reject.reason));
  }
  return builder.seal();
}

}  // namespace millrace
