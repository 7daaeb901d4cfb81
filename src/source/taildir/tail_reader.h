// Makes events of the lines of tailed files.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "core/event_batch.h"
#include "source/taildir/file_group.h"
#include "source/taildir/put_window.h"
#include "source/taildir/tailed_file.h"

namespace millrace {

// Lines end in "\n", and a "\r" before it belongs to the end. They lie where the read has put them;
// what stands behind the last line end stays in the file and is read again when there is more.
// A batch may hold lines of several files.
// Threads: its source's. All that it is given outlives it.
class TailReader {
 public:
  // A longer line is cut there, and counted as incomplete.
  static constexpr std::size_t kLongestLine = std::size_t{16} << 20;  // Bytes.

  static constexpr std::uint64_t kMostBytes = std::uint64_t{8} << 20;  // Of one read().

  struct Options {
    std::size_t batch_size = 100;
    bool byte_offset_header = false;
    std::string file_header;  // Its name; empty: none.
  };
  enum class End {
    kAll,       // There is no other line.
    kEnough,    // As many events as were asked for.
    kMuch,      // kMostBytes were read: the caller may have other things to do in between.
    kNoMemory,  // For the next ones; what was read is in the builder.
    kStopped,   // `put` said so.
  };
  // Puts what is in the builder, which is full; false: no more is to be read.
  using Put = std::function<bool()>;

  TailReader(BatchSpace& space, EventBatch::Builder& builder, const std::vector<FileGroup>& groups,
             Options options, Counter& incomplete_events)
      : space_(space),
        builder_(builder),
        groups_(groups),
        options_(std::move(options)),
        incomplete_events_(incomplete_events) {}

  // Reads the open file from its position to `size`, and `most` events at most. With `whole` what
  // has no line end is a line too.
  Result<End> read(const TailedFilePtr& file, std::uint64_t size, std::uint64_t most, bool whole,
                   const Put& put);
  // What the builder holds, for its put.
  std::vector<TailMark> take_marks();
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  struct Visit {
    const TailedFilePtr& file;
    std::uint64_t size;
    std::uint64_t most;  // Events that may come yet.
    bool whole;
    const Put& put;
  };
  // Whole lines from the file's position on, read at once. Without a slab: there was no memory.
  struct Piece {
    SlabPtr slab;
    std::string_view bytes;
  };

  Result<Piece> read_piece(const Visit& visit);
  Result<std::uint64_t> line_length(const Visit& visit);
  End add_lines(Visit& visit, const Piece& piece);
  void mark(const TailedFilePtr& file, std::uint64_t end);
  void start_headers(const TailedFile& file);
  std::string_view headers();

  BatchSpace& space_;
  EventBatch::Builder& builder_;
  const std::vector<FileGroup>& groups_;
  const Options options_;
  Counter& incomplete_events_;
  std::vector<TailMark> marks_;  // Of what is in the builder.
  const std::array<std::string, 1> offset_name_{"byteoffset"};
  bool has_offset_ = false;  // Of the file that is read, as what follows.
  std::string block_;        // Its headers, without the offset; empty: none.
  std::string_view stored_;  // The same, in the builder; empty: not yet.
  std::vector<char> scratch_;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace millrace
