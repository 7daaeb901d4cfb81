// How far the file of a format could be read.
#pragma once

namespace millrace {

enum class FileEnd {
  kOpen,     // There may be more.
  kBorder,   // The file ends where a record, a block, a member or the header ends.
  kTorn,     // It ends within one: what a writer that was killed leaves.
  kDamaged,  // Bytes contradict each other.
};

}  // namespace millrace
