// What tests of components share: batches from texts, and the services they are made with.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/component.h"
#include "core/event_batch.h"

namespace millrace::testing_kit {

using HeaderList = std::vector<std::pair<std::string, std::string>>;
struct TestEvent {
  std::string body;
  HeaderList headers;
};

// A pool with a budget of its own, and the space to build batches in.
class Slabs {
 public:
  explicit Slabs(std::size_t budget_bytes = std::size_t{64} << 20) : budget_(budget_bytes) {}

  SlabPool& pool() { return pool_; }
  BatchSpace& space() { return space_; }
  ByteBudget& budget() { return budget_; }

  EventBatch::Builder builder_of(const std::vector<TestEvent>& events) {
    EventBatch::Builder builder(space_);
    for (const TestEvent& event : events) {
      HeaderEditor headers;
      for (const auto& [key, value] : event.headers) {
        headers.set(key, value);
      }
      const std::string_view body = builder.store_body(event.body);
      builder.add(body, builder.store_headers(headers));
    }
    return builder;
  }
  BatchPtr batch_of(const std::vector<TestEvent>& events) { return builder_of(events).seal(); }
  BatchPtr batch_of_bodies(const std::vector<std::string>& bodies) {
    std::vector<TestEvent> events;
    for (const std::string& body : bodies) {
      events.push_back({body, {}});
    }
    return batch_of(events);
  }
  // `count` events "PREFIX0", "PREFIX1"…
  BatchPtr numbered(std::size_t count, const std::string& prefix = "e") {
    std::vector<std::string> bodies;
    for (std::size_t i = 0; i < count; ++i) {
      bodies.push_back(prefix + std::to_string(i));
    }
    return batch_of_bodies(bodies);
  }

 private:
  ByteBudget budget_;
  SlabPool pool_{budget_};
  BatchSpace space_{pool_};
};

inline std::vector<std::string> bodies_of(const EventBatch& batch) {
  std::vector<std::string> bodies;
  for (const EventRef& event : batch) {
    bodies.emplace_back(event.body());
  }
  return bodies;
}

inline HeaderList headers_of(const EventRef& event) {
  HeaderList headers;
  for (const auto& [key, value] : event.headers()) {
    headers.emplace_back(key, value);
  }
  return headers;
}

// Polls until `holds`, for at most 20 s; whether it came true.
inline bool eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace millrace::testing_kit
