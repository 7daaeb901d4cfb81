// JSON as text: the little that the monitoring pages need.
#pragma once

#include <string>
#include <string_view>

namespace millrace {

// `text` in quotes, escaped as RFC 8259 asks. Bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace millrace
