#include "client/hdfs/configuration.h"

#include <fmt/core.h>

#include <utility>

namespace millrace::hdfs {
namespace {

constexpr std::uint64_t kMostFileBytes = 16 * 1024 * 1024;
constexpr int kMostReplacements = 20;  // As Hadoop has it.
constexpr std::size_t kMostValueBytes = 1024 * 1024;

}  // namespace

Result<> Configuration::load(FileSystem& files, const std::filesystem::path& folder) {
  if (!files.exists(folder)) {
    return bad_config(
        fmt::format("the folder of Hadoop's configuration, {}, is not there", folder.string()));
  }
  for (const char* name : {"core-site.xml", "hdfs-site.xml"}) {
    const std::filesystem::path path = folder / name;
    if (!files.exists(path)) {
      continue;
    }
    if (TRY(files.status(path)).size > kMostFileBytes) {
      return bad_config(fmt::format("{} has more than 16 MiB", path.string()));
    }
    const std::string xml = TRY(read_file(files, path));
    add(TRY(parse_site_xml(xml, path.string())));
  }
  return {};
}

void Configuration::add(const std::vector<SiteProperty>& properties) {
  for (const SiteProperty& property : properties) {
    SiteProperty& known = properties_[property.name];
    if (!known.final) {
      known = property;
    }
  }
}

Result<std::optional<std::string>> Configuration::get(const std::string& name) const {
  const auto found = properties_.find(name);
  if (found == properties_.end()) {
    return std::optional<std::string>();
  }
  std::string value = found->second.value;
  std::size_t from = 0;  // What is before it is done.
  for (int replaced = 0;;) {
    const std::size_t begin = value.find("${", from);
    const std::size_t end = begin == std::string::npos ? begin : value.find('}', begin);
    if (end == std::string::npos) {
      return std::optional(value);
    }
    const auto text = variable(value.substr(begin + 2, end - begin - 2));
    if (!text) {
      from = begin + 2;
      continue;
    }
    if (++replaced > kMostReplacements || value.size() + text->size() > kMostValueBytes) {
      return bad_config(fmt::format("{}: its variables go in circles: {:.100}", name, value));
    }
    value.replace(begin, end + 1 - begin, *text);
    from = begin;  // What came in may name others.
  }
}

std::optional<std::string> Configuration::variable(const std::string& name) const {
  constexpr std::string_view kEnvironment = "env.";
  if (!name.starts_with(kEnvironment)) {
    const auto found = properties_.find(name);
    return found == properties_.end() ? std::nullopt : std::optional(found->second.value);
  }
  const std::size_t dash = name.find('-');
  const bool colon = dash != std::string::npos && name[dash - 1] == ':';  // Empty counts as unset.
  const std::size_t end = colon ? dash - 1 : dash;
  auto value = environment_
                   ? environment_(name.substr(kEnvironment.size(), end - kEnvironment.size()))
                   : std::nullopt;
  if (dash != std::string::npos && (!value || (colon && value->empty()))) {
    return name.substr(dash + 1);
  }
  return value;
}

}  // namespace millrace::hdfs
