// The lines of all clients in a turn of the loop, gathered into batches.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/channel_processor.h"
#include "core/event_batch.h"
#include "source/netcat/client.h"

namespace millrace {

// Lines that a client sends ahead of the answers are stored together, and answered when their batch
// is. Threads: the loop's. What it is made with outlives it; answers may come after its end.
class LineBatches {
 public:
  LineBatches(SlabPool& slabs, MemoryWait& wait) : space_(slabs, &wait) {}

  // Where reads go.
  SlabCursor& bodies() { return space_.bodies; }

  // A line, given with its newline, that lies in the current slab of bodies and stays there. Lines
  // of one read follow each other; keep_run() ends them.
  void add(NetcatClient& client, std::string_view line_and_end);
  void keep_run();
  // A line without its newline that lies elsewhere.
  void add_copy(NetcatClient& client, std::string_view line);

  // Hands all to the channels; each answer goes to the clients whose lines it is about.
  void put(ChannelProcessor& channels);

 private:
  // Lines of one client in a batch.
  struct Owed {
    std::shared_ptr<TcpConnection> connection;  // Keeps the client.
    NetcatClient* client;
    AnswerQueue::Ticket ticket;
    std::size_t lines;
  };
  // A batch in the making, and who is to hear of it.
  struct Draft {
    explicit Draft(BatchSpace& space) : builder(space) {}
    EventBatch::Builder builder;
    std::vector<Owed> owed{};
  };

  void make_place();
  void add_event(NetcatClient& client, std::string_view body);
  static void answer(const std::vector<Owed>& owed, const Result<>& result);

  BatchSpace space_;
  std::vector<Draft> drafts_;  // Full ones, then the one that is filled.
  std::string_view run_;       // Lines of this read that the last draft does not keep yet.
};

}  // namespace millrace
