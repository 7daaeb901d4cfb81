// What one component of a process alone may have: a folder, a file, a port.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.h"
#include "config/property_section.h"

namespace millrace {

// What a config struct's claims() gives, one for each thing.
struct Claim {
  std::string key;   // That names it.
  std::string what;  // The same text for the same thing: "the folder /var/spool/app".
  Severity severity = Severity::kError;  // Of a second part that has it: left out, or warned of.
};

// A port to listen on: of "TCP" or "UDP". None for 0, which stands for any that is free.
std::vector<Claim> claim_port(std::string_view protocol, std::string_view host, std::uint16_t port);
// A folder or file, by its path: "the position file ".
Claim claim_path(std::string_view key, std::string_view what, const std::filesystem::path& path);

// Who has what, of an agent's parts.
class Claims {
 public:
  // Says at the keys of `section` in `diagnostics` what another part has. False when `part` has to
  // be left out.
  bool add(const std::string& part, const PropertySection& section,
           const std::vector<Claim>& claims, Diagnostics& diagnostics);

 private:
  std::map<std::string, std::string> owners_;
};

}  // namespace millrace
