#include "cli/component_families.h"

#include <algorithm>
#include <utility>

#include "config/config_filter.h"
#include "core/rejection_config.h"

namespace millrace {
namespace {

// `more` are described keys that each one of the family takes beside its own.
template <class RegistryType>
Family make_family(std::string name, CommonKeys common,
                   const std::vector<FieldDescription>& more = {}) {
  Family made{std::move(name), {}, common};
  for (const auto& entry : RegistryType::instance().entries()) {
    made.components.push_back(entry.info);
    std::vector<FieldDescription>& fields = made.components.back().fields;
    fields.insert(fields.end(), more.begin(), more.end());
  }
  std::sort(made.components.begin(), made.components.end(),
            [](const ComponentInfo& a, const ComponentInfo& b) { return name_of(a) < name_of(b); });
  return made;
}

Family config_filters() {
  Family made{"configfilter", {}, common_nested_keys()};
  for (const ConfigFilterType& type : config_filter_types()) {
    made.components.push_back({std::string(type.alias), std::string(type.class_name),
                               std::string(type.about), type.fields});
  }
  return made;
}

}  // namespace

const std::string& name_of(const ComponentInfo& info) {
  return info.alias.empty() ? info.class_name : info.alias;
}

std::vector<Family> component_families() {
  const std::vector<FieldDescription> rejection = describe<RejectionConfig>();
  return {make_family<SourceRegistry>("source", common_source_keys()),
          make_family<InterceptorRegistry>("interceptor", common_nested_keys()),
          make_family<SelectorRegistry>("selector", common_nested_keys()),
          make_family<ChannelRegistry>("channel", common_channel_keys(), rejection),
          make_family<SinkRegistry>("sink", common_sink_keys(), rejection),
          make_family<SinkProcessorRegistry>("processor", common_group_keys()),
          make_family<SerializerRegistry>("serializer", common_nested_keys()),
          make_family<DeserializerRegistry>("deserializer", common_nested_keys()),
          config_filters()};
}

std::vector<std::string> component_names() {
  std::vector<std::string> names;
  for (const Family& family : component_families()) {
    for (const ComponentInfo& info : family.components) {
      if (std::find(names.begin(), names.end(), name_of(info)) == names.end()) {
        names.push_back(name_of(info));
      }
    }
  }
  return names;
}

}  // namespace millrace
