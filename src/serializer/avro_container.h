// What reader and writer of Avro object container files share (Avro 1.11 specification, "Object
// Container Files"): magic, metadata map, sync marker; then blocks of {count, length, bytes, sync
// marker}. docs/formats/avro-container.md has it byte by byte.
#pragma once

#include <cstddef>
#include <string_view>

namespace millrace {

inline constexpr std::string_view kAvroMagic{"Obj\x01", 4};
inline constexpr std::size_t kAvroSyncBytes = 16;

// The schema of AVRO_EVENT files, letter by letter as Flume writes it.
inline constexpr std::string_view kAvroEventSchema =
    R"({"type":"record","name":"Event","fields":[)"
    R"({"name":"headers","type":{"type":"map","values":"string"}},)"
    R"({"name":"body","type":"bytes"}]})";

}  // namespace millrace
