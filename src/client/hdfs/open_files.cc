#include "client/hdfs/open_files.h"

#include <utility>

#include "base/clock.h"
#include "base/log.h"
#include "base/stoppable_condition.h"

namespace millrace::hdfs {
namespace {

// What its user holds of a file; the keeper may hold it for a moment longer.
class KeptFile final : public dfs::OutputStream {
 public:
  explicit KeptFile(std::shared_ptr<HdfsOutputStream> file) : file_(std::move(file)) {}
  KeptFile(const KeptFile&) = delete;
  KeptFile& operator=(const KeptFile&) = delete;
  ~KeptFile() override { file_->abandon(); }

  Result<> write(std::span<const iovec> pieces) override { return file_->write(pieces); }
  Result<> start_flush(dfs::Durability durability) override {
    return file_->start_flush(durability);
  }
  Result<> finish_flush() override { return file_->finish_flush(); }
  Result<> close() override { return file_->close(); }
  void abandon() override { file_->abandon(); }
  std::uint64_t length() const override { return file_->length(); }
  std::uint32_t live_replicas() const override { return file_->live_replicas(); }

 private:
  const std::shared_ptr<HdfsOutputStream> file_;
};

}  // namespace

std::unique_ptr<dfs::OutputStream> OpenFiles::add(std::shared_ptr<HdfsOutputStream> file) {
  const std::lock_guard lock(mutex_);
  files_.push_back(file);
  if (!thread_.joinable()) {
    thread_ = std::jthread([this](const std::stop_token& stop) { keep(stop); });
  }
  return std::make_unique<KeptFile>(std::move(file));
}

void OpenFiles::stop() {
  std::jthread ended;
  {
    const std::lock_guard lock(mutex_);
    ended = std::move(thread_);
  }
}

void OpenFiles::keep(const std::stop_token& stop) {
  SteadyTime renewed = std::chrono::steady_clock::now();
  while (rest(stop, look_)) {
    const auto files = alive();
    for (const auto& file : files) {
      file->keep_alive();
    }
    if (files.empty()) {
      renewed = std::chrono::steady_clock::now();  // Opening the next one gives a lease.
    } else if (std::chrono::steady_clock::now() - renewed >= renewal_) {
      renewed = std::chrono::steady_clock::now();
      renew();
    }
  }
}

std::vector<std::shared_ptr<HdfsOutputStream>> OpenFiles::alive() {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<HdfsOutputStream>> files;
  std::erase_if(files_, [&](const std::weak_ptr<HdfsOutputStream>& known) {
    if (auto file = known.lock()) {
      files.push_back(std::move(file));
      return false;
    }
    return true;
  });
  return files;
}

void OpenFiles::renew() {
  const Result<> renewed = name_node_.renew_lease();
  if (!renewed.ok() && !failing_) {
    log_warning("hdfs", "the lease of open files could not be renewed: {}",
                renewed.error().message());
  }
  failing_ = !renewed.ok();
}

}  // namespace millrace::hdfs
