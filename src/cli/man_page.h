// A command's page for man(1).
#pragma once

#include <string>

#include "cli/description.h"

namespace millrace {

// "millrace-channel-show": the page's name, and "millrace" for the program itself.
std::string man_page_name(const CommandDescription& command);

// The page of `command`, which is `program` or below it, as roff(7) with the macros of man(7).
std::string man_page(const CommandDescription& command, const CommandDescription& program);

}  // namespace millrace
