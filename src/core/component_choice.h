// What components do with a key that names a part of theirs, as `serializer`, and the keys below
// it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "config/fields.h"
#include "core/registry.h"

namespace millrace {

// Reports that `type` at `key` is none of `known`.
void report_unknown_choice(std::string_view key, const std::string& type,
                           const std::vector<std::string_view>& known, ConfigCheck& check);
// Reports `findings` about `keys` to the component's own keys `key`.*.
void report_findings(std::string_view key, const PropertySection& keys, const Diagnostics& findings,
                     ConfigCheck& check);

// A choice whose keys were read once.
template <class RegistryType>
class ComponentChoice {
 public:
  using Base = typename RegistryType::Base;
  using Context = typename RegistryType::Context;

  // For a config struct's check(): reports what is wrong with `type` and with `keys`, to the
  // component's keys `key` and `key`.*.
  static void check(std::string_view key, const std::string& type, const PropertySection& keys,
                    ConfigCheck& check) {
    const auto* const found = RegistryType::instance().find(type);
    if (found == nullptr) {
      std::vector<std::string_view> known;
      for (const auto& entry : RegistryType::instance().entries()) {
        known.push_back(entry.info.alias.empty() ? entry.info.class_name : entry.info.alias);
      }
      report_unknown_choice(key, type, known, check);
      return;
    }
    Diagnostics findings;
    (void)found->prepare(keys, findings, common_nested_keys());
    report_findings(key, keys, findings, check);
  }

  // After check() found no fault.
  ComponentChoice(const std::string& type, const PropertySection& keys) {
    const auto* const found = RegistryType::instance().find(type);
    CHECK(found != nullptr);
    Diagnostics ignored;  // check() reported them.
    prepared_ = found->prepare(keys, ignored, common_nested_keys());
    CHECK(prepared_.has_value());
  }

  std::unique_ptr<Base> make(Context context) const { return prepared_->make(std::move(context)); }

 private:
  std::optional<Prepared<Base, Context>> prepared_;
};

}  // namespace millrace
