// The source `spooldir`: files that are moved into a folder become events, and are then marked as
// done.
#pragma once

#include <filesystem>
#include <memory>
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
// A file that changes while it is read, whose name was used before, or that is no text, is set
// aside where it lies, with an error in the log; the others go on. It is tried again at the next
// start, from where it was committed, and when it has been gone from the folder.
// Threads: see ThreadSource.
class SpooldirSource final : public ThreadSource {
 public:
  using Config = SpooldirConfig;
  SpooldirSource(Config config, SourceContext context);
  ~SpooldirSource() override;

  Result<> health() const override { return aside_.health(); }

 protected:
  Result<> open() override;
  std::chrono::milliseconds turn(std::stop_token stop) override;
  void close() override { current_.reset(); }

 private:
  struct Current {
    std::filesystem::path relative;
    std::filesystem::path path;
    SpooledIdentity identity;
    std::unique_ptr<EventDeserializer> events;
    std::string headers;      // A block for each of its events.
    std::uint64_t committed;  // Bytes.
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
  void finish();
  void set_aside(const Current& current, const Error& error);
  // Counts, logs and gives the text that tells why.
  std::string tell_aside(const std::filesystem::path& relative, const Error& error);

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
  bool folder_is_told_ = false;   // That it cannot be listed.
};

}  // namespace millrace
