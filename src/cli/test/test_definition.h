// Unit tests that stand in a configuration: what goes into a source, what its channels then get.
// The keys, below AGENT.tests.NAME, are described here; the page is docs/user/testing.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "config/diagnostics.h"
#include "config/fields.h"
#include "config/interpolation.h"
#include "config/property_section.h"
#include "core/topology.h"

namespace millrace {

// input.1.…
struct TestInput {
  std::string body;
  std::map<std::string, std::string> headers;

  static constexpr auto fields() {
    using C = TestInput;
    return std::tuple{
        field("body", &C::body, "Body of the event; empty when it is not given."),
        field("headers.", &C::headers, "A header of the event."),
    };
  }
};

// output.CHANNEL.1.…: what is given has to hold, all else of the event may be as it is.
struct ExpectedEvent {
  std::optional<std::string> body;
  std::optional<std::string> body_matches;
  std::map<std::string, std::string> headers;
  std::map<std::string, std::string> headers_match;
  std::vector<std::string> absent_headers;
  PropertySection keys;  // Of this event: where each expectation stands.

  static constexpr auto fields() {
    using C = ExpectedEvent;
    return std::tuple{
        field("body", &C::body, "The body, to the letter."),
        field("bodyMatches", &C::body_matches,
              "Java regular expression that is found in the body."),
        field("headers.", &C::headers, "The value of a header, to the letter."),
        field("headersMatch.", &C::headers_match,
              "Java regular expression that is found in the value of a header."),
        field("absentHeaders", &C::absent_headers, "Names of headers that are not there."),
    };
  }
  void check(ConfigCheck& check) const;
};

struct ExpectedChannel {
  std::string name;
  std::uint32_t count = 0;  // As its key says, or of the last event that is described.
  Property count_at;        // Where that stands; its key is the channel's where none is given.
  std::map<std::uint32_t, ExpectedEvent> events;  // By number, from 1.
};

struct UnitTest {
  std::string name;
  const PlannedSource* source = nullptr;
  std::vector<TestInput> inputs;
  std::vector<ExpectedChannel> outputs;  // As the file names them; no channel twice.
};

// The tests of `topology`'s agent in a resolved set, in the order of their list. All that is wrong
// with them is an error in `diagnostics`. Borrows from `topology`.
std::vector<UnitTest> read_unit_tests(const PropertySection& resolved, const Topology& topology,
                                      Diagnostics& diagnostics);

// Says which tests are of agents that are not among `agents`: nobody would run them. Not so of keys
// that a value refers to.
void report_tests_of_no_agent(const Interpolated& resolved, const std::vector<std::string>& agents,
                              Diagnostics& diagnostics);

}  // namespace millrace
