#include "source/taildir/file_group.h"

namespace millrace {

Result<FileGroup> make_file_group(const TaildirConfig& config, const std::string& name) {
  const auto path = config.paths.find(name);
  if (path == config.paths.end()) {
    return bad_config("group " + name + " has no path");
  }
  const std::string& text = path->second;
  const std::size_t slash = text.rfind('/');
  if (slash == std::string::npos || slash + 1 == text.size()) {
    return bad_config("expected a folder, a slash and an expression for names");
  }
  JavaRegex pattern = TRY(JavaRegex::compile(std::string_view(text).substr(slash + 1)));
  FileGroup group{name,
                  std::filesystem::path(text.substr(0, slash + 1)).parent_path(),
                  std::move(pattern),
                  {},
                  {}};
  const std::string prefix = name + ".";
  for (const auto& [key, value] : config.headers) {
    if (key.starts_with(prefix)) {
      group.headers.emplace_back(key.substr(prefix.size()), value);
    }
  }
  return group;
}

std::vector<FileGroup> file_groups(const TaildirConfig& config) {
  std::vector<FileGroup> groups;
  for (const std::string& name : config.groups) {
    if (auto group = make_file_group(config, name); group.ok()) {
      groups.push_back(std::move(group).value());
    }
  }
  return groups;
}

}  // namespace millrace
