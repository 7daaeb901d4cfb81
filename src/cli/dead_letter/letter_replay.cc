#include "cli/dead_letter/letter_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/headers.h"

namespace millrace {
namespace {

constexpr std::size_t kMostExamples = 5;
constexpr auto kSaveEvery = std::chrono::seconds(1);
constexpr std::string_view kLockName = ".replay.lock";

}  // namespace

void LeftOut::add(const std::string& file, std::uint64_t number) {
  ++letters;
  if (examples.size() < kMostExamples) {
    examples.push_back(fmt::format("{} number {}", file, number));
  }
}

LetterReplay::LetterReplay(FileSystem& files, const Clock& clock, Plan plan)
    : files_(files), clock_(clock), plan_(std::move(plan)) {}

Result<std::uint64_t> LetterReplay::prepare() {
  const std::vector<std::filesystem::path> paths = TRY(letter_files_at(files_, plan_.path));
  const bool is_folder = TRY(files_.status(plan_.path)).is_directory;
  const std::filesystem::path folder = is_folder ? plan_.path : plan_.path.parent_path();
  lock_ = TRY(files_.lock(folder / kLockName).with("another replay is under way"));
  std::uint64_t wanted = 0;
  for (const std::filesystem::path& path : paths) {
    const File file{path, TRY(read_mark(files_, path))};
    const auto count = [&](const Letter& letter) -> Result<bool> {
      wanted += is_wanted(file, letter) ? 1 : 0;
      return true;
    };
    TRY(read_letters(files_, path, count, notes_));
    list_.push_back(file);
  }
  return wanted;
}

bool LetterReplay::is_wanted(const File& file, const Letter& letter) const {
  return !file.replayed.contains(letter.number) &&
         letter.reason.find(plan_.reason) != std::string_view::npos;
}

Result<> LetterReplay::run(LetterDestination& to) {
  saved_ = clock_.steady();
  Result<> sent;
  for (std::size_t file = 0; file < list_.size() && sent.ok(); ++file) {
    sent = send_file(file, to);
  }
  if (sent.ok()) {
    sent = settle(to);
  }
  Result<> saved = save_marks();  // Whatever happened: what has arrived is not to go again.
  return sent.ok() ? saved : sent;
}

Result<> LetterReplay::send_file(std::size_t file, LetterDestination& to) {
  std::vector<std::string> said_before;
  const auto send = [&](const Letter& letter) -> Result<bool> {
    if (!is_wanted(list_[file], letter)) {
      return true;
    }
    if (!to.obstacle(letter).empty()) {
      impassable_.add(name_of(file), letter.number);
      return true;
    }
    TRY(to.add(letter));
    const std::string headers = letter.event_headers();
    open_.push_back({file, letter.number, !HeaderView(headers).empty()});
    if (to.is_full()) {
      TRY(settle(to));
    }
    return true;
  };
  return read_letters(files_, list_[file].path, send, said_before);
}

Result<> LetterReplay::settle(LetterDestination& to) {
  LetterDestination::Settled settled = to.settle();
  for (std::size_t i = 0; i < settled.known; ++i) {
    const bool is_refused =
        std::find(settled.refused.begin(), settled.refused.end(), i) != settled.refused.end();
    if (is_refused) {
      refused_.add(name_of(open_[i].file), open_[i].number);
      continue;
    }
    note(open_[i]);
    bare_ += open_[i].has_headers && !to.carries_headers() ? 1 : 0;
  }
  open_.clear();
  plan_.progress(sent_);
  TRY(std::move(settled.outcome));
  return clock_.steady() - saved_ >= kSaveEvery ? save_marks() : Result<>();
}

void LetterReplay::note(const Open& letter) {
  File& file = list_[letter.file];
  file.replayed.add({letter.number, letter.number + 1});
  file.is_changed = true;
  ++sent_;
}

Result<> LetterReplay::save_marks() {
  for (File& file : list_) {
    if (file.is_changed) {
      TRY(write_mark(files_, file.path, file.replayed));
      file.is_changed = false;
    }
  }
  saved_ = clock_.steady();
  return {};
}

}  // namespace millrace
