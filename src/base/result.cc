#include "base/result.h"

#include <system_error>

namespace millrace {

std::string_view to_string(Fault fault) {
  switch (fault) {
    case Fault::kTransient:
      return "transient";
    case Fault::kRejected:
      return "rejected";
    case Fault::kConfig:
      return "config";
    case Fault::kCorrupt:
      return "corrupt";
    case Fault::kClosed:
      return "closed";
  }
  return "unknown";
}

Error Error::with(std::string_view context) && {
  message_.insert(0, ": ");
  message_.insert(0, context);
  return std::move(*this);
}

Error system_error(std::string_view what, int error_number) {
  return {Fault::kTransient,
          std::string(what) + ": " + std::generic_category().message(error_number), error_number};
}

}  // namespace millrace
