#include "core/claim.h"

#include <fmt/core.h>

#include <utility>

#include "core/component_types.h"

namespace millrace {

std::vector<Claim> claim_port(std::string_view protocol, std::string_view host,
                              std::uint16_t port) {
  if (port == 0) {
    return {};
  }
  return {{"port", fmt::format("{} port {} of {}", protocol, port, host)}};
}

Claim claim_path(std::string_view key, std::string_view what, const std::filesystem::path& path) {
  return {std::string(key), std::string(what) + path.lexically_normal().string()};
}

bool Claims::add(const std::string& part, const PropertySection& section,
                 const std::vector<Claim>& claims, Diagnostics& diagnostics) {
  bool all_free = true;
  for (const Claim& claim : claims) {
    const auto [owner, is_free] = owners_.try_emplace(claim.what, part);
    if (!is_free && owner->second != part) {
      Diagnostic finding =
          fault_at(section, claim.key,
                   fmt::format("{} is for one alone, and {} has it", claim.what, owner->second));
      finding.severity = claim.severity;
      diagnostics.add(std::move(finding));
      all_free = all_free && claim.severity != Severity::kError;
    }
  }
  return all_free;
}

}  // namespace millrace
