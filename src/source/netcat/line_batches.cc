#include "source/netcat/line_batches.h"

#include <utility>

namespace millrace {
namespace {

constexpr std::size_t kBatchEvents = 1000;

}  // namespace

void LineBatches::add(NetcatClient& client, std::string_view line_and_end) {
  make_place();
  add_event(client, line_and_end.substr(0, line_and_end.size() - 1));
  run_ = run_.empty() ? line_and_end
                      : std::string_view(run_.data(), run_.size() + line_and_end.size());
}

void LineBatches::keep_run() {
  if (!run_.empty()) {
    drafts_.back().builder.keep_body_bytes(std::exchange(run_, {}));
  }
}

void LineBatches::add_copy(NetcatClient& client, std::string_view line) {
  make_place();
  add_event(client, drafts_.back().builder.store_read_body(line));
}

void LineBatches::make_place() {
  if (drafts_.empty() || drafts_.back().builder.size() >= kBatchEvents) {
    keep_run();
    drafts_.emplace_back(space_);
  }
}

// `body` lies in memory that the last draft keeps, or will.
void LineBatches::add_event(NetcatClient& client, std::string_view body) {
  Draft& draft = drafts_.back();
  draft.builder.add(body);
  if (draft.owed.empty() || draft.owed.back().client != &client) {
    draft.owed.push_back({client.connection(), &client, client.owe(), 0});
  }
  ++draft.owed.back().lines;
}

void LineBatches::put(ChannelProcessor& channels) {
  for (Draft& draft : std::exchange(drafts_, {})) {
    channels.put(draft.builder,
                 [owed = std::move(draft.owed)](const Result<>& result) { answer(owed, result); });
  }
}

// May run after the end of the batches: it uses the connections alone.
void LineBatches::answer(const std::vector<Owed>& owed, const Result<>& result) {
  for (const Owed& each : owed) {
    each.client->settle(each.ticket, result, each.lines);
  }
}

}  // namespace millrace
