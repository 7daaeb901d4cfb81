#include "selector/channel_names.h"

#include <algorithm>

namespace millrace {

std::vector<std::size_t> channel_indices(const std::vector<std::string>& names,
                                         const SelectorContext& context) {
  std::vector<std::size_t> indices;
  for (const std::string& name : names) {
    const auto found = std::find(context.channels.begin(), context.channels.end(), name);
    if (found == context.channels.end()) {
      continue;
    }
    const auto index = static_cast<std::size_t>(found - context.channels.begin());
    if (std::find(indices.begin(), indices.end(), index) == indices.end()) {
      indices.push_back(index);
    }
  }
  return indices;
}

}  // namespace millrace
