// Reads Avro object container files, block by block, whoever wrote them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/file_system.h"
#include "serializer/avro_codec.h"
#include "serializer/file_end.h"
#include "serializer/raw_buffer.h"
#include "serializer/source_window.h"

namespace millrace {

struct AvroBlock {
  std::uint64_t offset;    // Of its first byte in the file.
  std::uint64_t records;   // At most bytes.size(): an empty record has a byte at least.
  std::string_view bytes;  // Decoded; valid until the next call of next_block() or skip_damage().
};

struct AvroReaderOptions {
  // Most bytes of a block, packed or decoded. Memory in use is about three times the largest block.
  std::size_t block_limit = std::size_t{64} << 20;
  bool any_schema = false;  // Else a schema other than Event's is kDamaged.
};

// Every length is checked before it is used; errors name the file and the byte. Threads: one.
class AvroContainerReader {
 public:
  // Fails when the file cannot be opened or read. What is wrong inside it comes from next_block().
  static Result<AvroContainerReader> open(FileSystem& files, const std::filesystem::path& path,
                                          AvroReaderOptions options = {});
  // Over an open file; `name` is for error messages.
  static Result<AvroContainerReader> over(std::unique_ptr<File> file, std::string name,
                                          AvroReaderOptions options = {});
  static Result<AvroContainerReader> over(ByteSource source, std::string name,
                                          AvroReaderOptions options = {});

  // The next whole block, or nothing at the end of a whole file. kCorrupt when the file is torn or
  // damaged, see end(); the same again until skip_damage(). kTransient when it cannot be read.
  Result<std::optional<AvroBlock>> next_block();

  FileEnd end() const { return end_; }
  // Behind the last whole block, or the header: where damage or the torn tail begins.
  std::uint64_t whole_bytes() const { return whole_bytes_; }

  // Goes on behind the next sync marker beyond whole_bytes(). False when there is none.
  Result<bool> skip_damage() { return go_behind_marker(whole_bytes_ + 1); }
  // Goes on behind the first sync marker that begins at `from` or later. False, and where it was,
  // when there is none.
  Result<bool> go_behind_marker(std::uint64_t from);

  // Of the header; null and empty when that is torn or damaged.
  AvroCodec codec() const { return codec_; }
  const std::string& schema() const { return schema_; }

 private:
  AvroContainerReader(ByteSource source, std::string name, AvroReaderOptions options)
      : window_(std::move(source)), name_(std::move(name)), options_(options) {}

  Result<> read_header();
  Result<> parse_header(std::string_view bytes);
  Result<AvroBlock> read_block();
  Error stop(FileEnd end, std::string_view what);

  SourceWindow window_;  // At the next block.
  std::string name_;
  AvroReaderOptions options_;
  AvroCodec codec_ = AvroCodec::kNull;
  std::string schema_;
  std::string sync_;  // Empty until the header was read.

  RawBuffer decoded_;

  FileEnd end_ = FileEnd::kOpen;
  std::uint64_t whole_bytes_ = 0;
  std::string problem_;  // Why end_ is kTorn or kDamaged.
};

}  // namespace millrace
