// How much of a file that a killed writer left is whole.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "core/serializer.h"
#include "serializer/byte_source.h"
#include "serializer/hadoop_codec/hadoop_codec.h"

namespace millrace {

// What the bytes of a file are, once a codec has unpacked them.
struct FileShape {
  FileContents contents = FileContents::kBytes;
  HadoopCodec codec = HadoopCodec::kNone;
};

struct WholePart {
  // Cut to this length no reader meets a torn record, block or member; 0: not even the header is
  // whole.
  std::uint64_t bytes = 0;
  // Why bytes behind it are no torn tail: something whole may lie there. Empty: they are one.
  std::string damage;
};

// Reads the file, `length` bytes of `source`: of lines the end alone, else all of it. Of bytes
// without borders all is whole. kTransient when it cannot be read.
Result<WholePart> find_whole_part(const ByteSource& source, std::uint64_t length, FileShape shape,
                                  const std::string& name);

}  // namespace millrace
