#include "core/rejection_config.h"

#include <string_view>
#include <vector>

namespace millrace {
namespace {

constexpr std::string_view kOnRejected = "on-rejected";
constexpr std::string_view kDeadLetter = "dead-letter.";

bool has_dead_letter_keys(const PropertySection& section) {
  return !section.sub(kDeadLetter).empty();
}

}  // namespace

void RejectionConfig::check(ConfigCheck& check) const {
  if (!directory.empty() && !channel.empty()) {
    check.fault("dead-letter.channel", "dead-letter.directory is given too: it is one of the two");
  }
}

std::string RejectionConfig::target() const {
  if (!directory.empty()) {
    return "directory " + directory.string();
  }
  return channel.empty() ? std::string() : "channel " + channel;
}

PropertySection RejectionConfig::keys_of(const PropertySection& sink,
                                         const PropertySection& channel) {
  const PropertySection& on_rejected = sink.find(kOnRejected) != nullptr ? sink : channel;
  const PropertySection& letters = has_dead_letter_keys(sink) ? sink : channel;
  std::vector<Property> keys;
  for (const Property& property : on_rejected.entries()) {
    if (property.key == kOnRejected) {
      keys.push_back(property);
    }
  }
  for (const Property& property : letters.entries()) {
    if (property.key.starts_with(kDeadLetter)) {
      keys.push_back(property);
    }
  }
  return {sink.prefix(), std::move(keys)};
}

}  // namespace millrace
