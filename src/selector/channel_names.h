// Channel names of a selector's keys as indices into the source's channels.
#pragma once

#include <string>
#include <vector>

#include "core/component.h"

namespace millrace {

// Names that are not among the source's channels are left out: the topology reports them. A name
// that comes twice counts once.
std::vector<std::size_t> channel_indices(const std::vector<std::string>& names,
                                         const SelectorContext& context);

}  // namespace millrace
