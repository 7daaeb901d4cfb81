// What tests of the whole file channel share.
#pragma once

#include <future>
#include <memory>

#include "channel/channel_fixture.h"
#include "channel/file/file_channel.h"

namespace millrace {

class FileChannelTest : public ChannelFixture<FileChannel> {
 protected:
  // Puts, and waits for the answer.
  Result<> put(const BatchPtr& batch) {
    auto answer = std::make_shared<std::promise<Result<>>>();
    auto future = answer->get_future();
    PutDone done = [answer](Result<> result) { answer->set_value(std::move(result)); };
    const PutStatus status = channel->put(batch, done);
    if (status != PutStatus::kAccepted) {
      return transient(status == PutStatus::kFull ? "full" : "closed");
    }
    return future.get();
  }
};

}  // namespace millrace
