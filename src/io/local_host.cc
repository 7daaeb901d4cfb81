#include "io/local_host.h"

#include <netdb.h>
#include <unistd.h>

#include <memory>

namespace millrace {
namespace {

struct AddressListDeleter {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using AddressList = std::unique_ptr<addrinfo, AddressListDeleter>;

AddressList resolved(const std::string& name) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_CANONNAME;
  addrinfo* list = nullptr;
  const bool found = !name.empty() && getaddrinfo(name.c_str(), nullptr, &hints, &list) == 0;
  return AddressList(found ? list : nullptr);
}

}  // namespace

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string host_address() {
  const AddressList list = resolved(host_name());
  if (list == nullptr) {
    return {};
  }
  char text[NI_MAXHOST] = {};
  const int failed =
      getnameinfo(list->ai_addr, list->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
  return failed == 0 ? text : "";
}

std::string canonical_host_name() {
  const std::string name = host_name();
  const AddressList list = resolved(name);
  if (list == nullptr) {
    return {};
  }
  return list->ai_canonname != nullptr ? list->ai_canonname : name;
}

}  // namespace millrace
