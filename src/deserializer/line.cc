#include "deserializer/line.h"

#include <algorithm>
#include <array>
#include <utility>

#include "config/charset.h"
#include "core/registry.h"

namespace millrace {

void LineDeserializerConfig::check(ConfigCheck& check) const {
  if (is_utf8(output_charset)) {
    return;
  }
  if (const auto known = BodyCharset::make(output_charset); !known.ok()) {
    check.fault("outputCharset", known.error().message());
  }
}

LineDeserializer::LineDeserializer(const Config& config, DeserializerContext context)
    : charset_(std::move(context.charset)),
      window_(context.space, std::move(context.file), context.position, context.end),
      text_(config.longest_line, context.errors) {
  if (auto charset = BodyCharset::make(config.output_charset);
      charset.ok() && !is_utf8(config.output_charset)) {
    body_charset_.emplace(std::move(charset).value());
  }
}

Result<> LineDeserializer::begin(HeaderEditor&) {
  if (is_utf8(charset_)) {
    return {};
  }
  std::array<char, 4> head{};
  const std::size_t count = TRY(window_.file().read_at(head, 0));
  CharsetText charset = TRY(CharsetText::make(charset_, {head.data(), count}));
  if (window_.position() == 0) {
    window_.skip(charset.mark_bytes());
  }
  text_.use(std::move(charset));
  return {};
}

Result<EventDeserializer::Read> LineDeserializer::read(EventBatch::Builder& builder,
                                                       std::size_t most, std::string_view headers) {
  while (builder.size() < most) {
    switch (TRY(find_line())) {
      case FileWindow::More::kEnd:
        return Read::kEnd;
      case FileWindow::More::kNoMemory:
        return Read::kNoMemory;
      case FileWindow::More::kBytes:
        TRY(add_piece(builder, headers));
    }
  }
  return Read::kEvents;
}

Result<FileWindow::More> LineDeserializer::find_line() {
  std::size_t searched = 0;
  for (;;) {
    const std::string_view bytes = window_.bytes();
    const std::size_t limit = std::min(bytes.size(), text_.enough_bytes() + text_.end_bytes());
    const std::size_t end = text_.find_end(bytes, searched, limit);
    has_end_ = end != std::string_view::npos;
    line_bytes_ = has_end_ ? end : limit;
    if (is_torn_ && has_end_ && line_bytes_ == 0) {
      window_.take(text_.end_bytes());  // The line ended with the piece before.
      is_torn_ = false;
      continue;
    }
    if (has_end_ || limit > text_.enough_bytes() || (window_.at_end() && !bytes.empty())) {
      return FileWindow::More::kBytes;
    }
    searched = limit - limit % text_.end_bytes();
    if (const auto more = TRY(window_.more()); more != FileWindow::More::kBytes) {
      return more;
    }
  }
}

Result<> LineDeserializer::add_piece(EventBatch::Builder& builder, std::string_view headers) {
  const std::string_view line = window_.bytes().substr(0, line_bytes_);
  const bool open = !has_end_ && !(window_.at_end() && line.size() == window_.bytes().size());
  const LinePiece found = TRY(text_.piece(line, window_.position(), open));
  const bool whole = found.bytes == line.size() && has_end_;
  const std::size_t taken = found.bytes + (whole ? text_.end_bytes() : 0);
  if (body_charset_) {
    builder.add(builder.store_read_body(body_charset_->encode(found.text)), headers);
  } else if (found.in_place) {
    builder.add(found.text, headers);
    builder.keep_bytes(window_.slab(), window_.bytes().substr(0, taken));  // One range for all.
  } else {
    builder.add(builder.store_read_body(found.text), headers);
  }
  window_.take(taken);
  is_torn_ = !whole;
  return {};
}

const RegisterDeserializer<LineDeserializer> entry{
    "LINE", "org.apache.flume.serialization.LineDeserializer$Builder",
    "Makes an event of each line of a file."};

}  // namespace millrace
