// What an operator has told Hadoop of a cluster: core-site.xml and hdfs-site.xml of a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/hdfs/site_xml.h"
#include "io/file_system.h"

namespace millrace::hdfs {

// Threads: read by any once it is filled.
class Configuration {
 public:
  // A variable of the environment; nothing: it is not set.
  using Environment = std::function<std::optional<std::string>(const std::string&)>;

  Configuration() = default;
  // Answers ${env.…}.
  explicit Configuration(Environment environment) : environment_(std::move(environment)) {}

  // Reads what is there of the two files. kConfig when the folder is not there or one of them is no
  // good.
  Result<> load(FileSystem& files, const std::filesystem::path& folder);
  // A later value replaces an earlier one, unless that is final.
  void add(const std::vector<SiteProperty>& properties);

  // With ${…} replaced: by other properties, or the environment (${env.NAME}, ${env.NAME-default}).
  // What is not known stays as it stands. kConfig when they go in circles.
  Result<std::optional<std::string>> get(const std::string& name) const;

 private:
  std::optional<std::string> variable(const std::string& name) const;

  Environment environment_;
  std::map<std::string, SiteProperty> properties_;
};

}  // namespace millrace::hdfs
