#include "cli/time_zone.h"

#include <cstdlib>
#include <ctime>
#include <string>

#include "io/time_zone_name.h"

namespace millrace {

Result<> use_time_zone(const JavaFlags& java) {
  const std::string* const id = java.find("user.timezone");
  if (id == nullptr || id->empty()) {
    return {};
  }
  const std::string rule =
      TRY(time_zone_rule(real_file_system(), time_zone_folder(), *id).with("-Duser.timezone"));
  ::setenv("TZ", rule.c_str(), 1);
  ::tzset();
  return {};
}

}  // namespace millrace
