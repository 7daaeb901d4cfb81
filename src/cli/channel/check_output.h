// What a check of a channel found, as text and as JSON.
#pragma once

#include <string>

#include "channel/file/channel_check.h"

namespace millrace {

std::string to_text(const std::string& channel, const file_channel::ChannelView& view,
                    const file_channel::ChannelCheck& check);
std::string to_json(const std::string& channel, const file_channel::ChannelView& view,
                    const file_channel::ChannelCheck& check);

}  // namespace millrace
