#include "config/charset.h"

#include <iconv.h>
#include <strings.h>

#include <algorithm>
#include <cerrno>

namespace millrace {

namespace {

// Some of Java's names have "_" where others have "-", or begin with "x-".
std::string iconv_name(const std::string& name) {
  std::string dashed = name;
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  const bool has_prefix = dashed.starts_with("x-") || dashed.starts_with("X-");
  for (const std::string& spelling : {name, dashed, has_prefix ? dashed.substr(2) : dashed}) {
    const iconv_t known = iconv_open("UTF-8", spelling.c_str());
    if (known != reinterpret_cast<iconv_t>(-1)) {
      iconv_close(known);
      return spelling;
    }
  }
  return name;
}

}  // namespace

bool is_utf8(std::string_view charset) {
  const std::string name(charset);
  return strcasecmp(name.c_str(), "UTF-8") == 0 || strcasecmp(name.c_str(), "UTF8") == 0;
}

void TextConverter::Closer::operator()(void* handle) const {
  iconv_close(static_cast<iconv_t>(handle));
}

Result<TextConverter> TextConverter::make(const std::string& from, const std::string& to) {
  const iconv_t handle = iconv_open(iconv_name(to).c_str(), iconv_name(from).c_str());
  if (handle == reinterpret_cast<iconv_t>(-1)) {
    return bad_config("cannot convert from charset \"" + from + "\" to \"" + to + "\"");
  }
  return TextConverter(static_cast<void*>(handle));
}

std::optional<std::string_view> TextConverter::convert(std::string_view text) {
  const auto handle = static_cast<iconv_t>(handle_.get());
  iconv(handle, nullptr, nullptr, nullptr, nullptr);  // Back to the initial shift state.
  char* in = const_cast<char*>(text.data());          // iconv does not write there.
  std::size_t in_left = text.size();
  std::size_t done = 0;
  out_.resize(text.size() * 2 + 16);
  bool flushed = false;
  while (in_left > 0 || !flushed) {
    char* out = out_.data() + done;
    std::size_t out_left = out_.size() - done;
    flushed = in_left == 0;
    const std::size_t result =
        iconv(handle, flushed ? nullptr : &in, flushed ? nullptr : &in_left, &out, &out_left);
    done = out_.size() - out_left;
    if (result == static_cast<std::size_t>(-1)) {
      if (errno != E2BIG) {
        return std::nullopt;
      }
      flushed = false;
      out_.resize(out_.size() * 2);
    }
  }
  return std::string_view(out_).substr(0, done);
}

}  // namespace millrace
