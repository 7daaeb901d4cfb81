// The source `spooldir`: files that are moved into a folder become events, and are then marked as
// done.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/component_choice.h"
#include "core/deserializer.h"
#include "core/thread_source.h"
#include "source/spooldir/aside_files.h"
#include "source/spooldir/spool_folder.h"
#include "source/spooldir/spooldir_config.h"
#include "source/spooldir/tracker_file.h"

namespace millrace {

// One batch is on its way at a time. When the channels have committed it, its end is written to the
// tracker file; when they have committed the last one of a file, the file is marked as done.
//
// Repeats: after a kill, the batch that was on its way. After a power loss more of the file, as the
// tracker is not synced with each batch. Losses: none.
// A file that changes while it is read, or that is no text, is set aside where it lies, with an
// error in the log; the others go on. It is tried again at the next start, from where it was
// committed, and when it has been gone from the folder. One that cannot be opened, read, or marked
// as done is tried again from time to time.
// Threads: see ThreadSource.
class SpooldirSource final : public ThreadSource {
 public:
  using Config = SpooldirConfig;
  SpooldirSource(Config config, SourceContext context);
  ~SpooldirSource() override;

  Result<> health() const override;

 protected:
  Result<> open() override;
  std::chrono::milliseconds turn(std::stop_token stop) override;
  void close() override { current_.reset(); }

 private:
  struct Committed {
    SpooledIdentity identity;
    std::uint64_t offset;  // Bytes.
  };
  struct Current {
    std::filesystem::path relative;
    std::filesystem::path path;
    std::unique_ptr<EventDeserializer> events;
    std::string headers;  // A block for each of its events.
    Committed committed;
  };

  // Whether there is a file to read.
  bool open_next();
  Result<> begin(const std::filesystem::path& relative);
  std::uint64_t position_in(const std::filesystem::path& relative, const SpooledIdentity& identity);
  // A block of `headers` and those that name the file.
  std::string with_names(HeaderEditor headers, const std::filesystem::path& path) const;
  bool put_and_wait(bool is_last, std::stop_token stop);
  void store_position(const std::string& path, const SpooledIdentity& identity,
                      std::uint64_t position);
  void mark_done(const std::filesystem::path& relative, const Committed& committed);
  void mark_those_left();
  void set_aside(const std::filesystem::path& relative, const Committed& committed,
                 const Error& error);
  void tell_folder_trouble(std::string trouble);

  const Config config_;
  const std::string component_;  // For the log.
  FileSystem& files_;
  Counter& failed_files_;
  EventBatch::Builder builder_;
  const ComponentChoice<DeserializerRegistry> deserializer_;
  SpoolFolder folder_;
  AsideFiles aside_;
  TrackerFile tracker_;
  std::optional<TrackedPosition> tracked_;  // What the run before left; used once.
  std::unique_ptr<Current> current_;
  bool tracker_is_told_ = false;  // That it cannot be written.
  // Those that could not be marked as done.
  std::map<std::filesystem::path, Committed> whole_;
  mutable std::mutex mutex_;  // Guards what follows.
  std::string folder_trouble_;
};

}  // namespace millrace
