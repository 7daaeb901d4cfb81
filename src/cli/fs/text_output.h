// What is in a file, as text: `millrace fs text`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "serializer/byte_source.h"

namespace millrace {

// Gives `write` the file `name` as Hadoop's `-text` prints it: of a SequenceFile a line
// "KEY<tab>VALUE" a record, of an Avro container a line of JSON a value, of what a codec packed the
// bytes unpacked, of another file its bytes. What is in it is told by its first bytes, else by the
// end of its name. kCorrupt, behind all that is whole, when it is torn or damaged.
Result<> write_as_text(const ByteSource& source, const std::string& name,
                       const std::function<Result<>(std::string_view)>& write);

}  // namespace millrace
