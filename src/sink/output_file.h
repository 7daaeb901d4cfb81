// A file that a sink fills by transactions: what was committed stays, the rest can be taken back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "core/serializer.h"
#include "io/file_system.h"

namespace millrace {

enum class OutputSync {
  kNone,     // commit() hands the bytes to the operating system.
  kDurable,  // They, and the file's name, survive a power loss when commit() returns.
};

// After an error of append() or commit() nothing but roll_back() may be called. Threads: one.
class OutputFile {
 public:
  // Makes `path`, which must not exist, and writes what the format starts with.
  static Result<std::unique_ptr<OutputFile>> create(FileSystem& files, std::filesystem::path path,
                                                    std::unique_ptr<EventSerializer> serializer,
                                                    OutputSync sync);

  Result<> append(const EventBatch& batch);
  // Everything appended is whole in the file: a reader finds no torn record. Fails when the file
  // has lost its name meanwhile, for then nobody would find what is in it.
  Result<> commit();
  // Cuts the file back to what was committed. False when it is not to be written any further: it
  // has lost its name, could not be cut, or a sync failed, after which the kernel may have dropped
  // any of its pages.
  bool roll_back();
  // The last write failed because the file may not grow any more: `ulimit -f`, or the file system's
  // largest size.
  bool is_full() const { return is_full_; }
  // What the format ends with. Nothing is open: a commit() or a roll_back() came before.
  Result<> finish();

  bool has_events() const { return committed_ > start_; }
  std::uint64_t committed_bytes() const { return committed_; }
  std::uint32_t committed_crc() const { return committed_crc_; }  // CRC-32C of these.
  // False when somebody has moved or removed it.
  bool has_name() const { return files_.exists(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  OutputFile(FileSystem& files, std::filesystem::path path, std::unique_ptr<File> file,
             std::unique_ptr<EventSerializer> serializer, OutputSync sync);
  Result<> write_out();
  Result<> make_durable();

  FileSystem& files_;
  const std::filesystem::path path_;
  const std::unique_ptr<File> file_;
  const std::unique_ptr<EventSerializer> serializer_;
  const OutputSync sync_;
  std::string out_;              // Goes to the file at written_.
  std::uint64_t start_ = 0;      // Bytes of what the format starts with.
  std::uint64_t written_ = 0;    // Bytes of the file.
  std::uint64_t committed_ = 0;  // Of these, what stays.
  std::uint32_t crc_ = 0;        // Of what is written.
  std::uint32_t committed_crc_ = 0;
  bool cut_needed_ = false;    // A write behind committed_ was begun.
  bool cut_unsynced_ = false;  // The disk may still hold what was behind committed_.
  bool is_full_ = false;
  bool name_is_durable_ = false;
  bool sync_failed_ = false;
  bool name_lost_ = false;
};

}  // namespace millrace
