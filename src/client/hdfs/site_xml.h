// Hadoop's configuration files: lists of properties in XML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millrace::hdfs {

struct SiteProperty {
  std::string name;
  std::string value;   // As it stands, without the white space around it.
  bool final = false;  // No later file may change it.
};

// In the order of the file. kConfig, naming the file and where in it, for what is no XML, no
// <configuration>, or includes other files.
Result<std::vector<SiteProperty>> parse_site_xml(std::string_view xml, const std::string& file);

}  // namespace millrace::hdfs
