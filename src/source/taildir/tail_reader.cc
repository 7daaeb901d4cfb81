#include "source/taildir/tail_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/header_appender.h"

namespace millrace {
namespace {

constexpr std::uint64_t kLeastRead = 64 * 1024;
// A visit of so few events reads no more than it may need, as far as lines are not long.
constexpr std::uint64_t kFewEvents = 64;
constexpr std::uint64_t kFewBytes = 4096;
constexpr std::uint64_t kLongestEnd = 2;  // "\r\n"

}  // namespace

Result<TailReader::End> TailReader::read(const TailedFilePtr& file, std::uint64_t size,
                                         std::uint64_t most, bool whole, const Put& put) {
  start_headers(*file);
  Visit visit{file, size, most, whole, put};
  const std::uint64_t began = bytes_read_;
  while (file->position() < size) {
    if (bytes_read_ - began >= kMostBytes) {
      return End::kMuch;
    }
    const Piece piece = TRY(read_piece(visit));
    if (!piece.slab) {
      return End::kNoMemory;
    }
    if (piece.bytes.empty()) {
      break;
    }
    if (const End end = add_lines(visit, piece); end != End::kAll) {
      return end;
    }
  }
  return End::kAll;
}

// Whole lines, as many as there is room for; nothing while there is none.
Result<TailReader::Piece> TailReader::read_piece(const Visit& visit) {
  TailedFile& file = *visit.file;
  const std::uint64_t from = file.position();
  const std::uint64_t left = visit.size - from;
  const bool is_short = visit.most < kFewEvents;
  std::uint64_t want = std::min(left, is_short ? kFewBytes : kLeastRead);
  bool is_searched = file.searched() - from >= kLeastRead;
  for (;;) {
    if (is_searched) {
      want = TRY(line_length(visit));
    }
    const std::span<char> room = space_.bodies.room(std::max<std::uint64_t>(want, 1));
    if (room.empty()) {
      return Piece();
    }
    Piece piece{space_.bodies.slab(), {}};
    const std::uint64_t count =
        is_short || is_searched ? want : std::min<std::uint64_t>(room.size(), left);
    if (want == 0 || count == 0) {
      return piece;
    }
    const std::size_t got = TRY(file.read(room.first(count), from));
    bytes_read_ += got;
    const std::string_view bytes(room.data(), got);
    if (const std::size_t end = bytes.rfind('\n'); end != std::string_view::npos) {
      piece.bytes = bytes.substr(0, end + 1);
      return piece;
    }
    if (got >= kLongestLine || (visit.whole && got == left)) {
      piece.bytes = bytes;
      return piece;
    }
    file.set_searched(from + got);
    if (got < count || got == left) {
      return piece;
    }
    is_searched = true;
  }
}

// Of a line longer than a read, with its end; 0 when that is not there yet. A line is cut where it
// is longest when what follows is not its end. What was searched before is not searched again: a
// line may grow for long.
Result<std::uint64_t> TailReader::line_length(const Visit& visit) {
  TailedFile& file = *visit.file;
  const std::uint64_t from = file.position();
  const std::uint64_t to = std::min(visit.size, from + kLongestLine + kLongestEnd);
  scratch_.resize(kLeastRead);
  while (file.searched() < to) {
    const std::uint64_t at = file.searched();
    const std::size_t count = std::min<std::uint64_t>(scratch_.size(), to - at);
    const std::size_t got = TRY(file.read({scratch_.data(), count}, at));
    const std::string_view bytes(scratch_.data(), got);
    if (const std::size_t end = bytes.find('\n'); end != std::string_view::npos) {
      return at + end + 1 - from;
    }
    file.set_searched(at + got);
    if (got < count) {
      break;  // It got shorter meanwhile: the next look will see.
    }
  }
  const std::uint64_t length = file.searched() - from;
  if (length == kLongestLine + kLongestEnd) {
    return kLongestLine;
  }
  return visit.whole ? length : 0;
}

// The builder is put whenever it is full.
TailReader::End TailReader::add_lines(Visit& visit, const Piece& piece) {
  // Interceptors may write into the slab, behind these bytes.
  space_.bodies.take(piece.bytes.size());
  const std::uint64_t begins_at = visit.file->position();
  const char* const begin = piece.bytes.data();
  const char* const end = begin + piece.bytes.size();
  const auto offset = [&](const char* at) {
    return begins_at + static_cast<std::uint64_t>(at - begin);
  };
  HeaderAppender appender(builder_, offset_name_);
  const char* kept = begin;
  const char* line = begin;
  const auto keep = [&] {
    builder_.keep_bytes(piece.slab, {kept, static_cast<std::size_t>(line - kept)});
    mark(visit.file, offset(line));
    kept = line;
  };
  while (line != end && visit.most > 0) {
    const auto* const newline =
        static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
    const char* text_end = newline != nullptr ? newline : end;
    if (newline != nullptr && newline != line && newline[-1] == '\r') {
      --text_end;
    }
    builder_.add({line, static_cast<std::size_t>(text_end - line)}, headers());
    if (has_offset_) {
      const fmt::format_int digits(offset(line));
      const std::optional<std::string_view> value{{digits.data(), digits.size()}};
      appender.set(builder_[builder_.size() - 1], {&value, 1});
    }
    line = newline != nullptr ? newline + 1 : end;
    --visit.most;
    if (builder_.size() >= options_.batch_size) {
      keep();
      if (!visit.put()) {
        return End::kStopped;
      }
    }
  }
  keep();
  if (piece.bytes.back() != '\n' && piece.bytes.size() >= kLongestLine) {
    incomplete_events_.add();
  }
  return visit.most == 0 ? End::kEnough : End::kAll;
}

void TailReader::mark(const TailedFilePtr& file, std::uint64_t end) {
  if (file->position() == end) {
    return;
  }
  file->advance(end);
  if (!marks_.empty() && marks_.back().file == file) {
    marks_.back().end = end;
  } else {
    marks_.push_back({file, file->restarts(), end});
  }
}

std::vector<TailMark> TailReader::take_marks() {
  stored_ = {};
  return std::exchange(marks_, {});
}

void TailReader::start_headers(const TailedFile& file) {
  HeaderEditor editor;
  for (const auto& [name, value] : groups_[file.group()].headers) {
    editor.set(name, value);
  }
  if (!options_.file_header.empty()) {
    editor.set(options_.file_header, file.path());
  }
  has_offset_ = options_.byte_offset_header && !editor.find(offset_name_.front());
  block_ = editor.headers().empty() ? std::string() : editor.encode();
  stored_ = {};
}

std::string_view TailReader::headers() {
  if (stored_.empty()) {
    stored_ = block_.empty() ? kNoHeaders : builder_.store_header_block(block_);
  }
  return stored_;
}

}  // namespace millrace
