// From the files that the operator names to one resolved set of properties.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "config/diagnostics.h"
#include "config/interpolation.h"
#include "config/lookups.h"
#include "io/file_system.h"

namespace millrace {

// Reads the files in order (a later one overrides an earlier one), merges them and resolves their
// values. A file whose name ends in .json, .yaml or .xml (what follows the first dot of its name)
// is skipped with a warning, as Flume does; all others are read as properties. nullopt, said, when
// one of them cannot be read.
std::optional<Interpolated> load_configuration(FileSystem& files,
                                               const std::vector<std::filesystem::path>& paths,
                                               const LookupContext& context,
                                               Diagnostics& diagnostics);

}  // namespace millrace
