// Headers of the same names, with a value of its own for each event.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/event_batch.h"

namespace millrace {

// Gives the events of one batch further headers, one after another, without an allocation: behind
// what an event has, or in the place of a header of the name. Lives no longer than the call that
// changes the batch; borrows all it is given.
class HeaderAppender {
 public:
  // `names` are all different.
  HeaderAppender(EventBatch::Builder& batch, std::span<const std::string> names)
      : batch_(batch), names_(names) {}

  // Whether the event has a header of one of the names already.
  bool has_any(const EventRef& event);
  // `values[i]` becomes the header names[i]; nothing leaves that header as it is.
  using Values = std::span<const std::optional<std::string_view>>;
  void set(EventRef& event, Values values);

 private:
  void look_at(const EventRef& event);
  std::string_view replaced(const EventRef& event, Values values);
  std::string_view appended(Values values);

  EventBatch::Builder& batch_;
  const std::span<const std::string> names_;
  // What is known of the block that the last event had: events in a row often share one.
  const char* block_ = nullptr;
  bool has_any_ = false;
  std::size_t headers_ = 0;
  std::string_view encoded_;  // The headers, without their number before and the 0 behind.
  HeaderEditor editor_;
};

}  // namespace millrace
