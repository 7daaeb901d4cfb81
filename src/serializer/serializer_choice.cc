#include "serializer/serializer_choice.h"

#include "base/check.h"
#include "core/component_types.h"

namespace millrace {

void SerializerChoice::check(std::string_view key, const std::string& type,
                             const PropertySection& keys, ConfigCheck& check) {
  const SerializerRegistry::Entry* const found = SerializerRegistry::instance().find(type);
  if (found == nullptr) {
    std::string known;
    for (const SerializerRegistry::Entry& entry : SerializerRegistry::instance().entries()) {
      known += (known.empty() ? "" : ", ") + entry.info.alias;
    }
    const std::string_view fault =
        is_flume_type(type) ? "this serializer of Flume is not built in yet" : "no such serializer";
    check.fault(key, std::string(fault) + "; expected one of " + known);
    return;
  }
  Diagnostics findings;
  (void)found->prepare(keys, findings, common_nested_keys());
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

SerializerChoice::SerializerChoice(const std::string& type, const PropertySection& keys) {
  const SerializerRegistry::Entry* const found = SerializerRegistry::instance().find(type);
  CHECK(found != nullptr);
  Diagnostics ignored;  // check() reported them.
  prepared_ = found->prepare(keys, ignored, common_nested_keys());
  CHECK(prepared_.has_value());
}

std::unique_ptr<EventSerializer> SerializerChoice::make(Services& services) const {
  return prepared_->make(SerializerContext{services});
}

}  // namespace millrace
