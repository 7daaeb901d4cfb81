// Values of any Avro schema as JSON, as Avro's specification and its Java library write them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "serializer/avro_schema.h"

namespace millrace {

// Appends the value at the front of `bytes`, and takes it from there: records and maps are objects,
// bytes and fixed are texts of a character a byte, a branch of a union but null is {"TYPE": value}.
// kCorrupt when there is no whole value.
Result<> append_avro_json(const AvroSchema& schema, std::string_view& bytes, std::string& out);

}  // namespace millrace
