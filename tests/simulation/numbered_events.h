// Events that carry their number, and what of them lies in the files of a file_roll sink.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "io/file_system.h"

namespace millrace {

// "n=0000001234;" and padding: a torn tail of it is no event.
std::string numbered_body(std::uint64_t number, std::size_t padding);

// How often each number is in the files of `folder`: lines of text, or Avro containers of events.
// Of a torn file what is whole counts; hidden ones do not.
std::map<std::uint64_t, std::size_t> count_numbers(FileSystem& files,
                                                   const std::filesystem::path& folder,
                                                   bool is_text);

}  // namespace millrace
