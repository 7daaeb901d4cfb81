// Reads Hadoop's SequenceFiles of version 6, whoever wrote them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "io/file_system.h"
#include "serializer/file_end.h"
#include "serializer/sequence_file/sequence_file.h"
#include "serializer/source_window.h"

namespace millrace {

struct SequenceRecord {
  std::string_view key;  // As its class writes itself; both are valid until the next call.
  std::string_view value;
};

struct SequenceReaderOptions {
  // Most bytes of a record, or of a part of a block, packed or not.
  std::size_t limit = std::size_t{256} << 20;
};

// Every length is checked before it is used; errors name the file and the byte. Threads: one.
class SequenceFileReader {
 public:
  // Fails when the source cannot be read. What is wrong inside it comes from next().
  static Result<SequenceFileReader> over(ByteSource source, std::string name,
                                         SequenceReaderOptions options = {});

  // The next record, or false at the end of a whole file. kCorrupt when the file is torn or
  // damaged, see end(), once and for all; kTransient when it cannot be read.
  Result<bool> next(SequenceRecord& record);
  // The same without unpacking: passes a record, or a block, and says whether there was one.
  Result<bool> pass();

  FileEnd end() const { return end_; }
  // Behind the last whole record, block or marker; behind the header at least, else 0.
  std::uint64_t whole_bytes() const { return whole_bytes_; }
  // Empty fields when it is torn or damaged.
  const SequenceFileHeader& header() const { return header_; }

 private:
  enum Part { kKeyLengths, kKeys, kValueLengths, kValues, kParts };

  SequenceFileReader(ByteSource source, std::string name, SequenceReaderOptions options)
      : window_(std::move(source)), name_(std::move(name)), options_(options) {}

  bool is_block() const { return header_.compression == SequenceCompression::kBlock; }
  Result<> read_header();
  Result<> parse_header(ByteReader& reader);
  Result<> check_open() const;
  Result<bool> find_entry();
  Result<std::string_view> whole(std::uint64_t bytes);
  Result<std::string_view> read_record(std::uint32_t& key_length);
  Result<> pass_block(bool unpack);
  Result<std::uint64_t> read_block_length();
  Result<> unpack(std::string_view packed, RawBuffer& out);
  Result<bool> next_of_block(SequenceRecord& record);
  Result<std::string_view> next_of_part(Part lengths, Part bytes);
  Error stop(FileEnd end, std::string_view what);

  SourceWindow window_;  // At the next record or block.
  std::string name_;
  SequenceReaderOptions options_;
  SequenceFileHeader header_;
  std::unique_ptr<HadoopUnpacker> unpacker_;
  RawBuffer value_;
  std::array<RawBuffer, kParts> parts_;        // Of the open block.
  std::array<std::string_view, kParts> left_;  // Of these.
  std::uint64_t records_left_ = 0;
  FileEnd end_ = FileEnd::kOpen;
  std::uint64_t whole_bytes_ = 0;
  std::string problem_;
};

}  // namespace millrace
