#include "cli/test/test_definition.h"

#include <utility>

#include "cli/test/test_reader.h"
#include "config/agent_sections.h"
#include "interceptor/regex_support.h"

namespace millrace {
namespace {

// What is found about tests alone: all else was said when the agent was read. A test that cannot be
// run is an error, whatever an agent would make of it.
void append_findings(const Diagnostics& findings, const std::string& agent,
                     Diagnostics& diagnostics) {
  const std::string list = agent + ".tests";
  for (Diagnostic finding : findings.items()) {
    if (finding.key == list || finding.key.starts_with(list + ".")) {
      finding.severity = Severity::kError;
      diagnostics.add(std::move(finding));
    }
  }
}

}  // namespace

void ExpectedEvent::check(ConfigCheck& check) const {
  if (body_matches) {
    check_regex(check, "bodyMatches", *body_matches);
  }
  for (const auto& [name, pattern] : headers_match) {
    check_regex(check, "headersMatch." + name, pattern);
  }
}

std::vector<UnitTest> read_unit_tests(const PropertySection& resolved, const Topology& topology,
                                      Diagnostics& diagnostics) {
  Diagnostics findings;
  const AgentSections sections(resolved, topology.agent, findings);
  TestReader reader(topology, diagnostics);
  std::vector<UnitTest> tests;
  for (const Part& part : sections.listed(PartKind::kTests)) {
    tests.push_back(reader.read(part));
  }
  append_findings(findings, topology.agent, diagnostics);
  return tests;
}

}  // namespace millrace
