// Whether the keys of all that is in a channel are there.
#pragma once

#include "channel/file/log_contents.h"

namespace millrace::file_channel {

// A key that is missing, or another one, is the operator's to mend: kConfig names the key, the
// segment and how many events of the channel lie in it. They are not damaged. Segments of which
// nothing is needed are written over without their key.
Result<> expect_keys(FileSystem& files, const LogContents& log);

}  // namespace millrace::file_channel
