// The deserializer LINE: the lines of a file, as events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "config/fields.h"
#include "core/deserializer.h"
#include "deserializer/body_charset.h"
#include "deserializer/file_window.h"
#include "deserializer/line_text.h"

namespace millrace {

struct LineDeserializerConfig {
  std::uint32_t longest_line = 2048;
  std::string output_charset = "UTF-8";

  static constexpr auto fields() {
    using C = LineDeserializerConfig;
    return std::tuple{
        field("maxLineLength", &C::longest_line,
              "A longer line becomes several events; in characters of Java's, UTF-16 units.")
            .range(1, 100'000'000),
        field("outputCharset", &C::output_charset,
              "Encoding of bodies: any that iconv of the C library knows. What has no counterpart "
              "there "
              "becomes a question mark.")
            .example("ISO-8859-1"),
    };
  }
  void check(ConfigCheck& check) const;
};

// "\n" ends a line, and "\r" is data. A last line needs no end; an empty line is an event. A line
// of more than the longest length becomes several events, without the empty one that Flume puts
// behind a line of just that length.
// Bodies lie in the slab that was read into; only the torn tail of a read is copied.
class LineDeserializer final : public EventDeserializer {
 public:
  using Config = LineDeserializerConfig;
  LineDeserializer(const Config& config, DeserializerContext context);

  Result<> begin(HeaderEditor& headers) override;
  Result<Read> read(EventBatch::Builder& builder, std::size_t most,
                    std::string_view headers) override;
  std::uint64_t position() const override { return window_.position(); }

 private:
  // The bytes at hand begin with as much of a line as a piece needs.
  Result<FileWindow::More> find_line();
  Result<> add_piece(EventBatch::Builder& builder, std::string_view headers);

  const std::string charset_;
  FileWindow window_;
  LineText text_;
  std::optional<BodyCharset> body_charset_;  // Nothing: UTF-8.
  std::size_t line_bytes_ = 0;               // Of the line at hand, as far as it was searched.
  bool has_end_ = false;                     // A line's end stands behind them.
  bool is_torn_ = false;                     // A piece of the line at hand was given.
};

}  // namespace millrace
