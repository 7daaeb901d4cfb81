#include "source/netcat/stream_decoder.h"

#include <iconv.h>
#include <strings.h>

#include <cerrno>
#include <utility>

namespace millrace {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The bytes of a byte order mark and of a character, for encodings that do not name their order.
std::size_t unordered_width(const std::string& encoding) {
  if (strcasecmp(encoding.c_str(), "UTF-16") == 0) {
    return 2;
  }
  return strcasecmp(encoding.c_str(), "UTF-32") == 0 ? 4 : 0;
}

void* open_iconv(const std::string& encoding) {
  const iconv_t handle = ::iconv_open("UTF-8", encoding.c_str());
  return handle == reinterpret_cast<iconv_t>(-1) ? nullptr : static_cast<void*>(handle);
}

}  // namespace

Result<std::unique_ptr<StreamDecoder>> StreamDecoder::make(const std::string& encoding) {
  std::unique_ptr<StreamDecoder> decoder(new StreamDecoder(encoding));
  if (unordered_width(encoding) == 0 && !decoder->open()) {
    return bad_config("unknown encoding \"" + encoding + "\" (iconv -l lists those known here)");
  }
  return decoder;
}

StreamDecoder::~StreamDecoder() {
  if (handle_ != nullptr) {
    ::iconv_close(static_cast<iconv_t>(handle_));
  }
}

bool StreamDecoder::open() {
  handle_ = open_iconv(encoding_);
  return handle_ != nullptr;
}

void StreamDecoder::append(std::string_view bytes, std::string& out) {
  waiting_.append(bytes);
  if (knows_byte_order()) {
    convert(out);
  }
}

void StreamDecoder::finish(std::string& out) {
  if (!std::exchange(waiting_, {}).empty()) {
    out.append(kReplacement);
  }
}

// Reads the byte order mark, if one is due. False while too little has come for that.
bool StreamDecoder::knows_byte_order() {
  if (handle_ != nullptr) {
    return true;
  }
  const std::size_t width = unordered_width(encoding_);
  if (waiting_.size() < width) {
    return false;
  }
  const std::string_view head = std::string_view(waiting_).substr(0, width);
  using namespace std::string_view_literals;
  const bool little = head == (width == 2 ? "\xFF\xFE"sv : "\xFF\xFE\0\0"sv);
  const bool big = head == (width == 2 ? "\xFE\xFF"sv : "\0\0\xFE\xFF"sv);
  if (little || big) {
    waiting_.erase(0, width);
  }
  encoding_ += little ? "LE" : "BE";
  return open();
}

void StreamDecoder::convert(std::string& out) {
  const auto handle = static_cast<iconv_t>(handle_);
  char* in = waiting_.data();
  std::size_t left = waiting_.size();
  char text[4096];
  while (left > 0) {
    char* to = text;
    std::size_t room = sizeof text;
    const std::size_t result = ::iconv(handle, &in, &left, &to, &room);
    const int error = errno;
    out.append(text, sizeof text - room);
    if (result != static_cast<std::size_t>(-1) || error == E2BIG) {
      continue;
    }
    if (error == EINVAL) {
      break;  // A torn character.
    }
    out.append(kReplacement);
    ++in;
    --left;
  }
  waiting_.erase(0, waiting_.size() - left);
}

}  // namespace millrace
