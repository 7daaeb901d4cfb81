#include "cli/dead_letter/letters.h"

#include <algorithm>
#include <charconv>

#include "core/dead_letter.h"
#include "core/headers.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

constexpr std::string_view kDigits = "0123456789";

// Takes a run of digits, or of other letters, off the front.
std::string_view take_run(std::string_view& rest) {
  const bool is_number = kDigits.find(rest.front()) != std::string_view::npos;
  const std::size_t end = is_number ? rest.find_first_not_of(kDigits) : rest.find_first_of(kDigits);
  const std::string_view run = rest.substr(0, end);
  rest.remove_prefix(run.size());
  return run;
}

// "x-2" comes before "x-10".
bool comes_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const std::string_view left = take_run(a);
    const std::string_view right = take_run(b);
    const bool are_numbers = kDigits.find(left.front()) != std::string_view::npos &&
                             kDigits.find(right.front()) != std::string_view::npos;
    if (are_numbers && left.size() != right.size()) {
      return left.size() < right.size();
    }
    if (left != right) {
      return left < right;
    }
  }
  return a.size() < b.size();
}

Letter letter_of(std::uint64_t number, const AvroEvent& event) {
  Letter letter{.number = number, .headers = event.headers, .body = event.body};
  for (const auto& [key, value] : HeaderView(event.headers)) {
    if (key == letter_header::kReason) {
      letter.reason = value;
    } else if (key == letter_header::kComponent) {
      letter.component = value;
    } else if (key == letter_header::kTakenFrom) {
      letter.taken_from = value;
    } else if (key == letter_header::kTime) {
      std::int64_t time = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), time);
      if (error == std::errc() && end == value.data() + value.size()) {
        letter.time_ms = time;
      }
    }
  }
  return letter;
}

// False when the visitor wants no more. kCorrupt when the block's events do not fit it.
Result<bool> visit_block(const AvroBlock& block, std::uint64_t& number, const VisitLetter& visit) {
  AvroEvents events(block);
  AvroEvent event;
  while (TRY(events.next(event))) {
    if (!TRY(visit(letter_of(++number, event)))) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string Letter::event_headers() const {
  HeaderEditor editor(headers);
  for (const std::string_view key : {letter_header::kReason, letter_header::kTime,
                                     letter_header::kComponent, letter_header::kTakenFrom}) {
    editor.erase(key);
  }
  return editor.encode();
}

Result<std::vector<std::filesystem::path>> letter_files_at(FileSystem& files,
                                                           const std::filesystem::path& path) {
  if (!TRY(files.status(path).with(path.string())).is_directory) {
    return std::vector{path};
  }
  std::vector<std::string> names = TRY(files.list(path).with(path.string()));
  std::erase_if(names, [](const std::string& name) {
    return name.starts_with('.') || !name.ends_with(".avro");
  });
  std::sort(names.begin(), names.end(), comes_before);
  std::vector<std::filesystem::path> found;
  for (const std::string& name : names) {
    found.push_back(path / name);
  }
  return found;
}

Result<> read_letters(FileSystem& files, const std::filesystem::path& path,
                      const VisitLetter& visit, std::vector<std::string>& notes) {
  AvroContainerReader reader = TRY(AvroContainerReader::open(files, path));
  std::uint64_t number = 0;
  for (;;) {
    Result<std::optional<AvroBlock>> block = reader.next_block();
    if (block.ok() && !block.value()) {
      return {};
    }
    const bool is_whole = block.ok();
    Result<bool> more =
        is_whole ? visit_block(**block, number, visit) : Result<bool>(std::move(block).error());
    if (more.ok() && !more.value()) {
      return {};
    }
    if (more.ok()) {
      continue;
    }
    if (more.error().fault() != Fault::kCorrupt) {
      return std::move(more).error();
    }
    notes.push_back(path.filename().string() + ": " + more.error().message());
    if (!is_whole && !TRY(reader.skip_damage())) {
      return {};
    }
  }
}

}  // namespace millrace
