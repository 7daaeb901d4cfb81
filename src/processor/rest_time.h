// How long a sink rests after failures: Flume's formula, without the overflow of its 32 bits.
#pragma once

#include <chrono>
#include <string>

namespace millrace {

// 1 s, doubled for each of the `failures` in a row (2 s after the first one), `most` at most.
std::chrono::milliseconds rest_time(int failures, std::chrono::milliseconds most);

// "rests 2 s, twice as long each time, 30 s at most"
std::string rest_text(std::chrono::milliseconds most);

}  // namespace millrace
