#include "source/spooldir/spool_folder.h"

#include <algorithm>
#include <cerrno>

namespace millrace {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeepest = 64;  // Folders.
constexpr int kListingShare = 10;     // Of so many parts of the time, lists may take one.
constexpr std::string_view kCanary = ".millrace-spooldir-check";

}  // namespace

SpoolFolder::SpoolFolder(const SpooldirConfig& config, FileSystem& files)
    : config_(config),
      files_(files),
      include_(JavaRegex::compile(config.include).value()),
      ignore_(JavaRegex::compile(config.ignore).value()),
      random_(std::random_device{}()) {}

Result<> SpoolFolder::prepare() {
  const Result<FileStatus> folder = files_.status(config_.folder);
  if (!folder.ok() || !folder.value().is_directory) {
    return transient(
        "spoolDir " + config_.folder.string() +
        (folder.ok() ? " is not a folder" : " cannot be used: " + folder.error().message()) +
        "; tried again until it is there");
  }
  TRY(files_.create_directories(config_.tracker_folder()));
  if (!marks_in_tracker_dir() || config_.delete_policy == "immediate") {
    const fs::path canary = config_.folder / kCanary;
    TRY(files_.open(canary, OpenMode::kTruncate).with("spoolDir has to be writable"));
    TRY(files_.remove(canary));
  }
  list_.clear();
  return {};
}

Result<std::optional<SpooledFile>> SpoolFolder::next(
    const std::function<bool(const fs::path&)>& is_passed_over) {
  const SteadyTime::duration age = std::chrono::steady_clock::now() - listed_at_;
  const bool is_old = config_.order != "random" && age >= config_.poll_delay;
  if ((list_.empty() || is_old) && age >= listing_took_ * kListingShare) {
    TRY(make_list());
  }
  while (!list_.empty()) {
    SpooledFile file = std::move(list_.back());
    list_.pop_back();
    if (!is_passed_over(file.relative)) {
      return std::optional(std::move(file));
    }
  }
  return std::optional<SpooledFile>();
}

Result<> SpoolFolder::make_list() {
  const SteadyTime begin = std::chrono::steady_clock::now();
  list_.clear();
  trouble_.clear();
  std::vector<FileId> above{TRY(files_.status(config_.folder)).id};
  TRY(list({}, above));
  sort();
  listed_at_ = std::chrono::steady_clock::now();
  listing_took_ = listed_at_ - begin;
  return {};
}

// A link that leads back up is not followed.
Result<> SpoolFolder::list(const fs::path& relative, std::vector<FileId>& above) {
  const fs::path folder = relative.empty() ? config_.folder : config_.folder / relative;
  for (const std::string& name : TRY(files_.list(folder))) {
    if (name.starts_with(".") || (!config_.recursive && !may_be_file(name)) ||
        match(ignore_, "ignorePattern", name) != RegexAnswer::kNoMatch) {
      continue;
    }
    const fs::path path = relative / name;
    const Result<FileStatus> status = files_.status(config_.folder / path);
    if (!status.ok()) {
      continue;  // Removed meanwhile.
    }
    if (status.value().is_directory) {
      const FileId id = status.value().id;
      if (config_.recursive && above.size() <= kDeepest &&
          std::find(above.begin(), above.end(), id) == above.end()) {
        above.push_back(id);
        if (const Result<> listed = list(path, above); !listed.ok()) {
          note(listed.error().message());  // It hides its own files alone.
        }
        above.pop_back();
      }
    } else if (status.value().is_regular && may_be_file(name) &&
               match(include_, "includePattern", name) == RegexAnswer::kMatch &&
               !(marks_in_tracker_dir() && files_.exists(mark_of(path)))) {
      list_.push_back({path, status.value().modified});
    }
  }
  return {};
}

// Of a folder with 100,000 files that are done, none is looked at but by its name.
bool SpoolFolder::may_be_file(const std::string& name) const {
  return !name.ends_with(config_.suffix);
}

RegexAnswer SpoolFolder::match(JavaRegex& pattern, const char* key, const std::string& name) {
  const RegexAnswer answer = pattern.matches(name);
  if (answer == RegexAnswer::kGaveUp) {
    note(std::string("the search for the expression of ") + key + " gave up on the name " + name);
  }
  return answer;
}

// Of several the first.
void SpoolFolder::note(std::string trouble) {
  if (trouble_.empty()) {
    trouble_ = std::move(trouble);
  }
}

fs::path SpoolFolder::mark_of(const fs::path& relative) const {
  fs::path mark = config_.tracker_folder() / relative;
  mark += config_.suffix;
  return mark;
}

void SpoolFolder::sort() {
  if (config_.order == "random") {
    std::shuffle(list_.begin(), list_.end(), random_);
    return;
  }
  const bool youngest = config_.order == "youngest";
  std::sort(list_.begin(), list_.end(), [&](const SpooledFile& a, const SpooledFile& b) {
    if (a.modified != b.modified) {
      return youngest == (a.modified < b.modified);
    }
    const auto name = a.relative.filename().compare(b.relative.filename());
    return name != 0 ? name > 0 : a.relative > b.relative;
  });
}

Result<> SpoolFolder::retire(const fs::path& relative) {
  const fs::path path = config_.folder / relative;
  if (config_.delete_policy == "immediate") {
    return files_.remove(path);
  }
  if (marks_in_tracker_dir()) {
    const fs::path mark = mark_of(relative);
    TRY(files_.create_directories(mark.parent_path()));
    TRY(files_.open(mark, OpenMode::kTruncate));
    return {};
  }
  fs::path done = path;
  done += config_.suffix;
  if (files_.exists(done)) {
    return rejected(done.string() +
                    " is there already: the name was used before, and neither file "
                    "is touched");
  }
  return files_.rename(path, done);
}

}  // namespace millrace
