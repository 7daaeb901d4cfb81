// Reads what a codec of Hadoop packed, of any length, whoever wrote it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "serializer/file_end.h"
#include "serializer/hadoop_codec/hadoop_codec.h"
#include "serializer/source_window.h"

namespace millrace {

// Gives the bytes of a stream piece by piece; members and blocks follow each other without a seam.
// Every length is checked before it is used; errors name the file and the byte. Threads: one.
class CodecReader {
 public:
  // `codec` is not kNone; `name` is for error messages.
  CodecReader(HadoopCodec codec, ByteSource source, std::string name);

  // The next bytes; none at the end of a whole stream. Valid until the next call. kCorrupt when it
  // is torn or damaged, see end(), once and for all; kTransient when it cannot be read.
  Result<std::string_view> next();

  FileEnd end() const { return end_; }
  // Behind the last whole member, or block.
  std::uint64_t whole_bytes() const { return whole_bytes_; }

 private:
  Result<std::string_view> next_of_member();
  Result<std::string_view> next_chunk();
  Result<std::uint32_t> read_length();
  Error stop(FileEnd end, std::string_view what);

  const HadoopCodec codec_;
  const std::unique_ptr<Decompressor> stream_;
  SourceWindow window_;
  const std::string name_;
  RawBuffer out_;
  bool in_member_ = false;
  std::uint64_t raw_left_ = 0;  // Of the open block.
  FileEnd end_ = FileEnd::kOpen;
  std::uint64_t whole_bytes_ = 0;
  std::string problem_;
};

}  // namespace millrace
