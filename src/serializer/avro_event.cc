#include "serializer/avro_event.h"

#include "core/registry.h"
#include "serializer/sync_marker.h"

namespace millrace {

void AvroEventConfig::check(ConfigCheck& check) const {
  if (!avro_codec_named(compression_codec)) {
    check.warn("compressionCodec",
               "expected null, deflate, snappy, bzip2, zstandard or xz: nothing is compressed");
  }
}

AvroEventSerializer::AvroEventSerializer(const Config& config, SerializerContext)
    : writer_({avro_codec_named(config.compression_codec).value_or(AvroCodec::kNull),
               config.sync_interval_bytes}) {}

Result<> AvroEventSerializer::begin(std::string& out) {
  writer_.begin(random_sync_marker(), out);
  return {};
}

Result<> AvroEventSerializer::append(const EventBatch& batch, std::string& out) {
  return writer_.append(batch.events(), out);
}

Result<> AvroEventSerializer::flush(std::string& out) {
  return writer_.end_block(out);
}

const RegisterSerializer<AvroEventSerializer> entry{
    "AVRO_EVENT", "org.apache.flume.serialization.FlumeEventAvroEventSerializer$Builder",
    "An Avro container file: headers and body of each event."};

}  // namespace millrace
