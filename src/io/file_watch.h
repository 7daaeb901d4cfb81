// Tells of changes of files as they happen: Linux's inotify.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "io/descriptor.h"

namespace millrace {

// Changes made on this machine are told; those that another one makes on a shared file system, and
// writes through a mapping, are not: whoever must see those looks from time to time.
// Threads: one.
class FileWatch {
 public:
  struct Change {
    enum class Kind {
      kContent,  // Of the file `name` of a watched folder, or of a watched file.
      kNames,    // `name` came to a watched folder or went from it.
      kEnded,    // What was watched is there no more; its watch has ended.
      kLost,     // More changes than the kernel keeps: look at everything.
    };
    Kind kind;
    int watch;              // As watch_folder() and watch_file() gave it; -1 for kLost.
    std::string_view name;  // Valid during the call.
  };

  // kTransient when the machine's or the user's limit of such watches is reached.
  static Result<FileWatch> open();

  // The same number for the same folder or file, under whatever name.
  Result<int> watch_folder(const std::filesystem::path& path);
  Result<int> watch_file(const std::filesystem::path& path);
  void end(int watch);

  // Calls `take` for each change since the last call; does not wait.
  void read(const std::function<void(const Change&)>& take);
  // Readable when there are changes.
  int descriptor() const { return descriptor_.get(); }

  // Whether `path` is on a file system that other machines may change too.
  static bool is_shared(const std::filesystem::path& path);

 private:
  explicit FileWatch(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
  Result<int> watch(const std::filesystem::path& path, unsigned mask);

  Descriptor descriptor_;
};

}  // namespace millrace
