// A channel's summary as text and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "cli/channel/summary.h"

namespace millrace {

// `now_ms` tells the age of the checkpoint.
std::string to_text(const ChannelSummary& channel, std::int64_t now_ms);
std::string to_json(const ChannelSummary& channel, std::int64_t now_ms);

// A line for each checkpoint that is not used: why, and what is used instead. Empty when there are
// none.
std::string checkpoint_troubles(const file_channel::ChannelView& view);

// "0..41, 50, 60..99", the first of them.
std::string ranges_text(const file_channel::EventRanges& numbers);

}  // namespace millrace
