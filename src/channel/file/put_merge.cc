#include "channel/file/put_merge.h"

namespace millrace::file_channel {

PutMerge::PutMerge(FileSystem& files, const ChannelView& view, const SegmentChoice& wanted) {
  for (std::size_t i = 0; i < view.log.dirs.size(); ++i) {
    Head& head = heads_.emplace_back();
    head.dir = std::make_unique<DirCheck>(files, view, i, wanted);
  }
}

Result<const CheckedPut*> PutMerge::next() {
  Head* first = nullptr;
  for (Head& head : heads_) {
    if (head.is_used) {
      head.put = TRY(head.dir->next());
      head.is_used = !head.put.has_value();  // Behind the last it stays so.
    }
    if (head.put && (first == nullptr || head.put->header.first < first->put->header.first)) {
      first = &head;
    }
  }
  if (first == nullptr) {
    return static_cast<const CheckedPut*>(nullptr);
  }
  first->is_used = true;
  return static_cast<const CheckedPut*>(&*first->put);
}

LogTally PutMerge::tally() const {
  LogTally all;
  for (const Head& head : heads_) {
    all.add(head.dir->tally());
  }
  return all;
}

std::uint64_t PutMerge::bytes() const {
  std::uint64_t bytes = 0;
  for (const Head& head : heads_) {
    bytes += head.dir->tally().bytes;
  }
  return bytes;
}

std::uint64_t PutMerge::planned_bytes() const {
  std::uint64_t bytes = 0;
  for (const Head& head : heads_) {
    bytes += head.dir->planned_bytes();
  }
  return bytes;
}

}  // namespace millrace::file_channel
