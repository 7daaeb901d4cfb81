#include "config/configuration_files.h"

#include <string>
#include <string_view>
#include <utility>

#include "config/agent_config.h"
#include "config/properties.h"

namespace millrace {

namespace {

bool is_unsupported(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::size_t dot = name.find('.');
  if (dot == 0 || dot == std::string::npos) {
    return false;
  }
  const std::string_view extension = std::string_view(name).substr(dot + 1);
  return extension == "json" || extension == "yaml" || extension == "xml";
}

// Read to its end, as a pipe has no size, but not beyond the bound: a wrong name must not read a
// huge file, or a device without an end, into memory.
Result<std::string> read_bounded(FileSystem& files, const std::filesystem::path& path) {
  const std::unique_ptr<File> file = TRY(files.open(path, OpenMode::kRead));
  if (TRY(files.status(path)).is_directory) {
    return bad_config(path.string() + " is a folder");
  }
  constexpr std::size_t kStep = 64 * 1024;
  std::string bytes;
  for (;;) {
    const std::size_t have = bytes.size();
    bytes.resize(have + kStep);
    const std::size_t got = TRY(file->read_at({bytes.data() + have, kStep}, have));
    bytes.resize(have + got);
    if (bytes.size() > kMostPropertiesBytes) {
      return bad_config(path.string() + " is longer than 16 MiB, which no configuration is");
    }
    if (got == 0) {
      return bytes;
    }
  }
}

}  // namespace

std::optional<Interpolated> load_configuration(FileSystem& files,
                                               const std::vector<std::filesystem::path>& paths,
                                               const LookupContext& context,
                                               Diagnostics& diagnostics) {
  std::vector<PropertySection> sets;
  bool all_read = true;
  for (const std::filesystem::path& path : paths) {
    if (is_unsupported(path)) {
      diagnostics.add({Severity::kWarning, path.string(), 0, "", "",
                       "is of a kind that is not supported here: it is skipped", ""});
      continue;
    }
    const Result<std::string> bytes = read_bounded(files, path);
    if (!bytes.ok()) {
      diagnostics.add({Severity::kError, path.string(), 0, "", "",
                       "cannot be read: " + bytes.error().message(), ""});
      all_read = false;
      continue;
    }
    sets.push_back(parse_properties(bytes.value(), path.string(), diagnostics));
  }
  if (!all_read) {
    return std::nullopt;
  }
  Interpolated result = interpolate(merge_properties(sets), context, diagnostics);
  check_loose_keys(result.properties, result.referenced, diagnostics);
  return result;
}

}  // namespace millrace
