// The source `TAILDIR`: follows files as they are written, each line an event.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/thread_source.h"
#include "io/descriptor.h"
#include "source/taildir/file_group.h"
#include "source/taildir/position_file.h"
#include "source/taildir/put_window.h"
#include "source/taildir/tail_reader.h"
#include "source/taildir/taildir_config.h"
#include "source/taildir/tailed_files.h"

namespace millrace {

// Files are read in rounds: each that has something new, up to where it ended when its turn came,
// the one that was written to longest ago first.
//
// Durable: a position is kept only of what every required channel has committed, at most
// writePosInterval later. Repeats: what was read since then, after a kill; after a failed put, what
// was put behind it. Losses: what is in a file that is removed before it was opened; in one that
// leaves its folder while no agent runs, or gets a name there that no group takes, before its
// position was ever written.
// Threads: see ThreadSource.
class TaildirSource final : public ThreadSource {
 public:
  using Config = TaildirConfig;

  TaildirSource(Config config, SourceContext context);
  ~TaildirSource() override;

  Result<> health() const override;

 protected:
  Result<> open() override;
  std::chrono::milliseconds turn(std::stop_token stop) override;
  void drain(SteadyTime deadline) override;
  void close() override;

 private:
  // A file's turn in a round.
  struct Failed {
    TailedFilePtr file;
    std::string why;
  };
  struct Turn {
    TailedFilePtr file;
    std::uint64_t end = 0;  // Where it ended when the turn began; 0: it has not begun.
  };

  Result<> begin();
  std::chrono::milliseconds read_round(const std::stop_token& stop);
  TailReader::End visit(Turn& turn, const std::stop_token& stop);
  Result<TailReader::End> read(Turn& turn, const std::stop_token& stop);
  bool is_quiet(const TailedFile& file, SteadyTime now) const;
  void read_failed(const TailedFilePtr& file, const Error& error);
  void retry_failed();
  void note_failed();
  Result<> open_file(TailedFile& file);
  void close_some();
  void learn_heads();
  bool put_batch(const std::stop_token& stop);
  bool take_answers();
  void look_after_files(SteadyTime now);
  void save_if_due(SteadyTime now);
  void save_new_files();
  Result<> save();
  void tell_trouble();
  void wait_for_changes(const std::stop_token& stop);

  static constexpr std::chrono::milliseconds kLookAfter{1000};  // The longest between two looks.
  static constexpr std::chrono::milliseconds kPause{1};         // Behind a round that read little.
  // Of the limit of open files, for channels, sinks and connections.
  static constexpr std::uint64_t kOtherFiles = 256;

  const Config config_;
  const std::string component_;  // For the log.
  std::vector<FileGroup> groups_;
  PositionFile positions_;
  EventBatch::Builder builder_;
  TailReader reader_;
  PutWindow window_;
  std::optional<TailedFiles> files_;
  std::deque<Turn> round_;         // Still to be had.
  std::uint64_t round_began_ = 0;  // In bytes read.
  std::vector<Failed> failed_;     // Tried again later.
  std::size_t open_files_ = 0;
  std::uint64_t open_file_limit_ = 0;  // Of the process.
  std::uint64_t most_open_files_ = 0;  // Of ours.
  SteadyTime look_after_at_{};
  SteadyTime retry_at_{};
  SteadyTime save_at_{};
  bool has_moved_ = true;                // Something that is to be saved.
  bool has_new_files_ = false;           // Files of which nothing was saved.
  SteadyTime save_new_at_{};             // Not before.
  std::chrono::milliseconds backoff_{};  // Behind the last put that failed.
  SteadyTime resume_at_{};
  std::string read_trouble_;
  std::string save_trouble_;
  std::string limit_trouble_;
  Descriptor wake_;  // An eventfd: a stop was requested.
  Counter& batches_received_;
  Counter& batches_accepted_;
  Counter& read_fails_;
  Counter& restarts_;
  Counter& tailed_files_;
  Counter& open_file_count_;
  Counter& unread_bytes_;
  mutable std::mutex trouble_mutex_;  // Guards trouble_.
  std::string trouble_;
};

}  // namespace millrace
