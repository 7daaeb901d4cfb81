#include "cli/test/test_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "base/executor.h"
#include "cli/test/captured_channel.h"
#include "cli/words.h"
#include "core/channel_processor.h"
#include "interceptor/regex_support.h"
#include "web/json_text.h"

namespace millrace {
namespace {

constexpr std::size_t kMostShown = 10;  // Events that a failure lists.

// Channels answer on the caller's thread, so nothing waits.
class AtOnce final : public Executor {
 public:
  void post(std::function<void()> task) override { task(); }
  void post_after(std::chrono::milliseconds, std::function<void()> task) override { task(); }
  bool is_current() const override { return true; }
};

// A source's way to its channels, with channels that keep what they get.
class Rehearsal {
 public:
  Rehearsal(const PlannedSource& source, Services& services)
      : channels_(source.channels.size()),
        space_(services.slabs),
        processor_(
            source.name, make_channels(), source.selector.make({source.channels}),
            source.make_interceptors(services),
            {services.clock, services.metrics.group("SOURCE", source.name), services.slabs}) {
    processor_.attach(executor_, WhenRefused::kAnswer);
  }

  void put(const std::vector<TestInput>& inputs) {
    EventBatch::Builder builder(space_);
    for (const TestInput& input : inputs) {
      HeaderEditor headers;
      for (const auto& [name, value] : input.headers) {
        headers.set(name, value);
      }
      builder.add(builder.store_read_body(input.body), builder.store_headers(headers));
    }
    processor_.put(builder);
  }
  // Of the source's channel `i`; they live as long as this does.
  std::vector<EventRef> events_of(std::size_t i) const { return channels_[i]->events(); }

 private:
  std::vector<std::shared_ptr<Channel>> make_channels() {
    for (std::shared_ptr<CapturedChannel>& channel : channels_) {
      channel = std::make_shared<CapturedChannel>();
    }
    return {channels_.begin(), channels_.end()};
  }

  AtOnce executor_;
  std::vector<std::shared_ptr<CapturedChannel>> channels_;
  BatchSpace space_;
  ChannelProcessor processor_;
};

std::string event_text(const EventRef& event) {
  std::string headers;
  for (const auto& [name, value] : event.headers()) {
    headers +=
        fmt::format("{}{}: {}", headers.empty() ? "" : ", ", json_string(name), json_string(value));
  }
  return fmt::format("{{{}}} {}", headers, json_string(event.body()));
}

// "2 events" and, a line each, what they are.
std::string list_of(const std::vector<EventRef>& events) {
  std::string text = counted(events.size(), "event");
  for (std::size_t i = 0; i < std::min(events.size(), kMostShown); ++i) {
    text += fmt::format("\n    {}: {}", i + 1, event_text(events[i]));
  }
  return text + (events.size() > kMostShown ? "\n    ..." : "");
}

// One event against what is expected of it.
class Comparison {
 public:
  Comparison(const ExpectedEvent& expected, const EventRef& got, std::vector<TestFailure>& failures)
      : expected_(expected), got_(got), failures_(failures) {}

  void run() {
    if (expected_.body && *expected_.body != got_.body()) {
      fail("body", json_string(*expected_.body), json_string(got_.body()));
    }
    if (expected_.body_matches) {
      match("bodyMatches", *expected_.body_matches, got_.body());
    }
    for (const auto& [name, value] : expected_.headers) {
      const auto header = got_.headers().find(name);
      if (!header || *header != value) {
        fail("headers." + name, json_string(value), header ? json_string(*header) : no_header());
      }
    }
    for (const auto& [name, pattern] : expected_.headers_match) {
      match("headersMatch." + name, pattern, got_.headers().find(name));
    }
    for (const std::string& name : expected_.absent_headers) {
      if (const auto header = got_.headers().find(name)) {
        fail("absentHeaders", "no header " + json_string(name), json_string(*header));
      }
    }
  }

 private:
  void match(const std::string& key, const std::string& pattern,
             std::optional<std::string_view> text) {
    if (!text) {
      fail(key, "a match of " + pattern, no_header());
      return;
    }
    switch (checked_regex(pattern).find(*text)) {
      case RegexAnswer::kMatch:
        return;
      case RegexAnswer::kNoMatch:
        fail(key, "a match of " + pattern, json_string(*text));
        return;
      case RegexAnswer::kGaveUp:
        fail(key, "a match of " + pattern, "a search that gave up in " + json_string(*text));
        return;
    }
  }
  std::string no_header() const { return "no such header in " + event_text(got_); }
  void fail(std::string_view key, std::string expected, std::string got) {
    failures_.push_back({*expected_.keys.find(key), std::move(expected), std::move(got)});
  }

  const ExpectedEvent& expected_;
  const EventRef& got_;
  std::vector<TestFailure>& failures_;
};

}  // namespace

std::vector<TestFailure> run_unit_test(const UnitTest& test, Services& services) {
  Rehearsal rehearsal(*test.source, services);
  rehearsal.put(test.inputs);
  std::vector<TestFailure> failures;
  const std::vector<std::string>& names = test.source->channels;
  for (const ExpectedChannel& expected : test.outputs) {
    const auto index = std::find(names.begin(), names.end(), expected.name) - names.begin();
    const std::vector<EventRef> got = rehearsal.events_of(static_cast<std::size_t>(index));
    if (got.size() != expected.count) {
      failures.push_back({expected.count_at, counted(expected.count, "event"), list_of(got)});
    }
    for (const auto& [number, event] : expected.events) {
      if (number <= got.size()) {
        Comparison(event, got[number - 1], failures).run();
      }
    }
  }
  return failures;
}

}  // namespace millrace
