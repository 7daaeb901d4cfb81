#include "cli/test/test_definition.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cli/test/test_reader.h"
#include "config/agent_sections.h"
#include "config/nearest_name.h"
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

void report_tests_of_no_agent(const Interpolated& resolved, const std::vector<std::string>& agents,
                              Diagnostics& diagnostics) {
  std::set<std::string, std::less<>> known(agents.begin(), agents.end());
  for (const Property& property : resolved.properties.entries()) {
    const std::string_view key = trim(property.full_key);
    const std::string_view agent = key.substr(0, key.find('.'));
    const std::string_view rest = key.substr(std::min(agent.size() + 1, key.size()));
    if (rest.substr(0, rest.find('.')) != plural(PartKind::kTests) ||
        resolved.referenced.contains(property.full_key)) {
      continue;
    }
    if (known.emplace(agent).second) {
      diagnostics.add({Severity::kError, property.file, property.line, property.full_key, "",
                       fmt::format("there is no agent {}", agent),
                       did_you_mean(nearest_name(agent, {agents.begin(), agents.end()}))});
    }
  }
}

}  // namespace millrace
