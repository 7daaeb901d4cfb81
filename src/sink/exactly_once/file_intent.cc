#include "sink/exactly_once/file_intent.h"

#include "base/bytes.h"

namespace millrace {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kEnded = 1;

void append_path(std::string& out, const std::string& path) {
  append_little(out, static_cast<std::uint32_t>(path.size()));
  out += path;
}

Result<std::string> read_path(ByteReader& reader) {
  const auto size = TRY(reader.little<std::uint32_t>());
  return std::string(TRY(reader.bytes(size)));
}

}  // namespace

std::string encode_file_intent(const FileIntent& files) {
  if (files.empty()) {
    return {};
  }
  std::string out;
  append_little(out, kVersion);
  for (const IntendedFile& file : files) {
    append_little(out, file.is_ended ? kEnded : std::uint8_t{0});
    append_little(out, file.length);
    append_little(out, file.crc);
    append_path(out, file.temporary);
    append_path(out, file.published);
  }
  return out;
}

Result<FileIntent> decode_file_intent(std::string_view bytes) {
  FileIntent files;
  if (bytes.empty()) {
    return files;
  }
  ByteReader reader(bytes);
  const auto version = TRY(reader.little<std::uint8_t>());
  if (version != kVersion) {
    return bad_config("an intent of format version " + std::to_string(version));
  }
  while (!reader.empty()) {
    IntendedFile file;
    file.is_ended = TRY(reader.little<std::uint8_t>()) == kEnded;
    file.length = TRY(reader.little<std::uint64_t>());
    file.crc = TRY(reader.little<std::uint32_t>());
    file.temporary = TRY(read_path(reader));
    file.published = TRY(read_path(reader));
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace millrace
