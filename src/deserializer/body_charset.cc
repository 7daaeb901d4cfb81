#include "deserializer/body_charset.h"

#include <strings.h>

#include <utility>

#include "config/utf8.h"

namespace millrace {
namespace {

bool is(const std::string& charset, const char* name) {
  return ::strcasecmp(charset.c_str(), name) == 0;
}

}  // namespace

// iconv takes the machine's byte order where the name does not tell one.
Result<BodyCharset> BodyCharset::make(const std::string& charset) {
  if (is(charset, "UTF-16") || is(charset, "UTF16")) {
    return BodyCharset(TRY(TextConverter::make("UTF-8", "UTF-16BE")), "\xFE\xFF");
  }
  if (is(charset, "UTF-32") || is(charset, "UTF32")) {
    return BodyCharset(TRY(TextConverter::make("UTF-8", "UTF-32BE")), "");
  }
  return BodyCharset(TRY(TextConverter::make("UTF-8", charset)), "");
}

std::string_view BodyCharset::encode(std::string_view text) {
  encoded_ = text.empty() ? std::string_view() : mark_;
  if (const auto whole = converter_.convert(text)) {
    return encoded_.append(*whole);
  }
  // Runs of what can be told, and question marks between them.
  std::string run;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view before = rest;
    take_code_point(rest);
    const std::string_view character = before.substr(0, before.size() - rest.size());
    run += converter_.convert(character) ? character : "?";
  }
  return encoded_.append(converter_.convert(run).value_or(""));
}

}  // namespace millrace
