#include "sink/exactly_once/file_ledger.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "base/checksum.h"
#include "io/atomic_file.h"

namespace millrace {
namespace {

constexpr std::size_t kMostForgotten = 1000;  // Lines; then the file is written anew.
constexpr std::string_view kHead = "millrace-file-ledger 1\n";

// The length tells where a path ends that has line ends in it; the CRC tells a torn line.
std::string line_of(const std::string& file) {
  return fmt::format("{:08x} {} {}\n", crc32c(file), file.size(), file);
}

// The path at the front of `rest`, which moves behind it; nothing when no whole line is there.
std::optional<std::string> take_line(std::string_view& rest) {
  std::uint32_t crc = 0;
  std::size_t size = 0;
  const char* const end = rest.data() + rest.size();
  const auto [after_crc, bad_crc] = std::from_chars(rest.data(), end, crc, 16);
  if (bad_crc != std::errc() || after_crc == end || *after_crc != ' ') {
    return std::nullopt;
  }
  const auto [after_size, bad_size] = std::from_chars(after_crc + 1, end, size);
  if (bad_size != std::errc() || after_size == end || *after_size != ' ' ||
      size >= static_cast<std::size_t>(end - after_size - 1)) {
    return std::nullopt;
  }
  std::string file(after_size + 1, size);
  if (after_size[1 + size] != '\n' || crc32c(file) != crc) {
    return std::nullopt;
  }
  rest.remove_prefix(static_cast<std::size_t>(after_size + 2 + size - rest.data()));
  return file;
}

}  // namespace

Result<> FileLedger::load() {
  noted_.clear();
  file_.reset();
  if (!files_.exists(path_)) {
    return {};
  }
  const std::string text = TRY(read_file(files_, path_));
  std::string_view rest = text;
  if (!rest.starts_with(kHead)) {
    return bad_config(path_.string() + " is no ledger of files, or one of a later version");
  }
  rest.remove_prefix(kHead.size());
  while (std::optional<std::string> file = take_line(rest)) {
    noted_.insert(*std::move(file));
  }
  return {};
}

Result<> FileLedger::note(const std::string& file) {
  noted_.insert(file);
  if (file_ == nullptr || forgotten_ >= kMostForgotten) {
    return rewrite();
  }
  const std::string line = line_of(file);
  Result<> written = file_->write_at(line, end_);
  if (written.ok()) {
    written = file_->sync_data();
  }
  if (!written.ok()) {
    file_.reset();  // Its end may be torn: the next one writes all of it anew.
    return std::move(written).error().with(path_.string());
  }
  end_ += line.size();
  return {};
}

void FileLedger::forget(const std::string& file) {
  forgotten_ += noted_.erase(file);
}

Result<> FileLedger::rewrite() {
  std::string text(kHead);
  for (const std::string& file : noted_) {
    text += line_of(file);
  }
  file_.reset();
  TRY(replace_file(files_, path_, text));
  file_ = TRY(files_.open(path_, OpenMode::kReadWrite));
  end_ = text.size();
  forgotten_ = 0;
  return {};
}

}  // namespace millrace
