#include "core/component_choice.h"

#include <algorithm>

#include "core/component_types.h"

namespace millrace {

void report_unknown_choice(std::string_view key, const std::string& type,
                           const std::vector<std::string_view>& known, ConfigCheck& check) {
  std::vector<std::string_view> sorted = known;  // The order of registration is the linker's.
  std::sort(sorted.begin(), sorted.end());
  std::string names;
  for (const std::string_view name : sorted) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  const std::string kind(key.substr(key.rfind('.') + 1));
  const std::string fault =
      is_flume_type(type) ? "this " + kind + " of Flume is not built in yet" : "no such " + kind;
  check.fault(key, fault + "; expected one of " + names);
}

void report_findings(std::string_view key, const PropertySection& keys, const Diagnostics& findings,
                     ConfigCheck& check) {
  for (const Diagnostic& finding : findings.items()) {
    const std::string below = finding.key.starts_with(keys.prefix())
                                  ? finding.key.substr(keys.prefix().size())
                                  : finding.key;
    const std::string name = std::string(key) + "." + below;
    const std::string message =
        finding.hint.empty() ? finding.message : finding.message + "; " + finding.hint;
    if (finding.severity == Severity::kError) {
      check.fault(name, message);
    } else {
      check.warn(name, message);
    }
  }
}

}  // namespace millrace
