// The steps of read_unit_tests().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/test/test_definition.h"
#include "config/agent_sections.h"

namespace millrace {

// Reads tests one after another. Borrows what it is given.
class TestReader {
 public:
  TestReader(const Topology& topology, Diagnostics& diagnostics)
      : topology_(topology), diagnostics_(diagnostics) {}

  // All that is wrong is an error in the diagnostics; the test is then not to be run.
  UnitTest read(const Part& part);

 private:
  const PlannedSource* source_of(const PropertySection& keys, const std::string& name);
  std::vector<TestInput> inputs_of(const PropertySection& section);
  void add_lines(const Property& file, std::vector<TestInput>& inputs);
  std::optional<ExpectedChannel> output_of(const PropertySection& section, const std::string& name,
                                           const PlannedSource* source);
  void take_count(const PropertySection& section, ExpectedChannel& channel);
  template <class Event, class Others>
  std::map<std::uint32_t, Event> numbered(const PropertySection& section, Others& others);
  template <class C>
  C bound(const PropertySection& section);
  void fault(const PropertySection& section, std::string_view key, std::string message,
             std::string hint = {});

  const Topology& topology_;
  Diagnostics& diagnostics_;
};

}  // namespace millrace
