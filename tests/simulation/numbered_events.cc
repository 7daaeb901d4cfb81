#include "numbered_events.h"

#include <charconv>
#include <optional>

#include "base/check.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

constexpr std::size_t kDigits = 10;
using Counts = std::map<std::uint64_t, std::size_t>;

void count(std::string_view body, Counts& counts) {
  if (body.size() < kDigits + 3 || !body.starts_with("n=") || body[kDigits + 2] != ';') {
    return;
  }
  std::uint64_t number = 0;
  std::from_chars(body.data() + 2, body.data() + 2 + kDigits, number);
  ++counts[number];
}

void count_lines(std::string_view text, Counts& counts) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    count(text.substr(0, end), counts);
    text.remove_prefix(end + 1);
  }
}

void count_avro(FileSystem& files, const std::filesystem::path& path, Counts& counts) {
  Result<AvroContainerReader> reader = AvroContainerReader::open(files, path);
  while (reader.ok()) {
    const Result<std::optional<AvroBlock>> block = reader->next_block();
    if (!block.ok() || !*block) {
      return;
    }
    AvroEvents events(**block);
    AvroEvent event;
    for (Result<bool> more = events.next(event); more.ok() && *more; more = events.next(event)) {
      count(event.body, counts);
    }
  }
}

}  // namespace

std::string numbered_body(std::uint64_t number, std::size_t padding) {
  const std::string digits = std::to_string(number);
  return "n=" + std::string(kDigits - digits.size(), '0') + digits + ";" +
         std::string(padding, 'x');
}

Counts count_numbers(FileSystem& files, const std::filesystem::path& folder, bool is_text) {
  Counts counts;
  const Result<std::vector<std::string>> names = files.list(folder);
  CHECK(names.ok());
  for (const std::string& name : *names) {
    if (name.starts_with('.')) {
      continue;  // Not published, or no events.
    }
    if (is_text) {
      const Result<std::string> text = read_file(files, folder / name);
      CHECK(text.ok());
      count_lines(*text, counts);
    } else {
      count_avro(files, folder / name, counts);
    }
  }
  return counts;
}

}  // namespace millrace
