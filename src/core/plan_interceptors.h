// The interceptors of a source, as its keys list them.
#pragma once

#include "config/diagnostics.h"
#include "config/property_section.h"
#include "core/topology.h"

namespace millrace {

// Adds them to `source`, in the order of the list. False when one of them does not do; why is in
// `diagnostics`.
bool plan_interceptors(PlannedSource& source, const PropertySection& keys,
                       Diagnostics& diagnostics);

}  // namespace millrace
