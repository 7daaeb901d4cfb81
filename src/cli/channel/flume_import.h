// Moves what is in a Flume file channel into one of ours.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "channel/file/file_channel.h"
#include "channel/flume_log/replay.h"
#include "cli/channel/flume_batches.h"
#include "cli/channel/import_record.h"

namespace millrace {

struct ImportRequest {
  std::filesystem::path checkpoint_dir;  // Flume's, as the next.
  std::vector<std::filesystem::path> data_dirs;
  std::string channel;  // Ours.
  FileChannelConfig config;
  bool again = false;        // What was imported before is imported once more.
  bool accept_loss = false;  // Log files that are missing cost their events.
};

// found = imported + taken + uncommitted + removed + damaged.
struct ImportCounts {
  std::uint64_t found = 0;        // Events that Flume's folders speak of.
  std::uint64_t imported = 0;     // Now durable in our channel.
  std::uint64_t taken = 0;        // Delivered by Flume.
  std::uint64_t uncommitted = 0;  // Of puts that Flume never acknowledged.
  std::uint64_t removed = 0;      // Taken out by Flume's fcintegritytool.
  std::uint64_t damaged = 0;      // Unreadable; a range of unknown contents counts for one.
};

// Durable: each batch is, before the next is put. A run that is cut short is noted in the channel's
// checkpoint dir, and the next one goes on behind what came in.
// Repeats: the last batch of a run that a power loss ended may come in twice.
// Threads: one.
class FlumeImport {
 public:
  using Say = std::function<void(const std::string&)>;  // A line for the operator.
  using Progress = std::function<void(std::uint64_t done, std::uint64_t whole)>;

  FlumeImport(ImportRequest request, ChannelContext context, Say say, Progress progress);

  // kRejected for what the operator has to decide, before anything was put.
  Result<ImportCounts> run();

 private:
  Result<> survey();
  Result<> refuse_own_folders() const;
  Result<> refuse_missing_logs() const;
  // Finds out from which batch on to put: how many events of Flume's queue came in before.
  Result<std::uint64_t> begin();
  Result<std::uint64_t> resume(const ImportRecord& earlier);
  Result<> refuse_without_room(std::uint64_t already_in) const;
  Result<> fill(std::uint64_t already_in);
  Result<> put(const BatchPtr& batch);
  ImportCounts counts() const;
  void say_damages(const std::vector<flume_log::Damage>& damages) const;

  const ImportRequest request_;
  Services& services_;
  const Say say_;
  const Progress progress_;
  std::optional<flume_log::Folders> folders_;
  flume_log::Contents contents_;
  FileChannel channel_;
  ImportRecord record_;
  std::unique_ptr<FlumeBatches> batches_;
  std::uint64_t imported_ = 0;
};

}  // namespace millrace
