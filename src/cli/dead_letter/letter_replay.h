// Sends letters that were not replayed yet, and notes those that have arrived.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/dead_letter/destination.h"
#include "cli/dead_letter/letters.h"
#include "cli/dead_letter/replayed_mark.h"

namespace millrace {

// Letters that did not go, and the first few of them by name: "x.avro number 7".
struct LeftOut {
  std::uint64_t letters = 0;
  std::vector<std::string> examples;
  void add(const std::string& file, std::uint64_t number);
};

// Repeats: a letter whose answer was lost with the connection, or that arrived in the second before
// a kill, goes again in the next replay. Threads: one.
class LetterReplay {
 public:
  struct Plan {
    std::filesystem::path path;  // A folder, or a file.
    std::string reason;          // Only letters with this in their reason.
    std::function<void(std::uint64_t done)> progress = [](std::uint64_t) {};
  };
  LetterReplay(FileSystem& files, const Clock& clock, Plan plan);

  // Locks the folder against another replay; kConfig when one is under way. Then counts what is to
  // be sent.
  Result<std::uint64_t> prepare();
  // All of it, or as far as it goes.
  Result<> run(LetterDestination& to);

  std::uint64_t sent() const { return sent_; }                      // Known to be there.
  std::uint64_t without_headers() const { return bare_; }           // Of these.
  const LeftOut& impassable() const { return impassable_; }         // Cannot go there as they are.
  const LeftOut& refused() const { return refused_; }               // The destination refused them.
  const std::vector<std::string>& notes() const { return notes_; }  // Damage.

 private:
  struct File {
    std::filesystem::path path;
    LetterNumbers replayed;
    bool is_changed = false;  // More than its mark says.
  };
  struct Open {
    std::size_t file;
    std::uint64_t number;
    bool has_headers;
  };

  bool is_wanted(const File& file, const Letter& letter) const;
  Result<> send_file(std::size_t file, LetterDestination& to);
  Result<> settle(LetterDestination& to);
  void note(const Open& letter);
  Result<> save_marks();
  std::string name_of(std::size_t file) const { return list_[file].path.filename().string(); }

  FileSystem& files_;
  const Clock& clock_;
  const Plan plan_;
  std::unique_ptr<FileLock> lock_;
  std::vector<File> list_;
  std::vector<Open> open_;  // Added to the destination and not settled.
  SteadyTime saved_{};
  std::uint64_t sent_ = 0;
  std::uint64_t bare_ = 0;
  LeftOut impassable_;
  LeftOut refused_;
  std::vector<std::string> notes_;
};

}  // namespace millrace
