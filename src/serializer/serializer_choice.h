// What sinks that write files do with their key `serializer` and the keys below it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "config/fields.h"
#include "core/registry.h"

namespace millrace {

// A sink's choice, whose keys were read once.
class SerializerChoice {
 public:
  // For a config struct's check(): reports what is wrong with `type` and with `keys`, to the sink's
  // keys `key` and `key`.*.
  static void check(std::string_view key, const std::string& type, const PropertySection& keys,
                    ConfigCheck& check);
  // After check() found no fault.
  SerializerChoice(const std::string& type, const PropertySection& keys);

  std::unique_ptr<EventSerializer> make(Services& services) const;

 private:
  std::optional<Prepared<EventSerializer, SerializerContext>> prepared_;
};

}  // namespace millrace
