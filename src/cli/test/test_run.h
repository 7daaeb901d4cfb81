// Runs the unit tests of a configuration.
#pragma once

#include <string>
#include <vector>

#include "cli/test/test_definition.h"
#include "core/component.h"

namespace millrace {

// An expectation that does not hold.
struct TestFailure {
  Property at;           // Where it stands.
  std::string expected;  // For people: `"a body"`, "2 events".
  std::string got;
};

// Puts the test's events, as one batch, through the interceptors and the selector of its source, as
// the agent would make them, and compares what each channel would get. Opens no channel, no port
// and no file. The failures in the order of the test's outputs; none: it passed.
std::vector<TestFailure> run_unit_test(const UnitTest& test, Services& services);

}  // namespace millrace
