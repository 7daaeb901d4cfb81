// AVRO_EVENT: an Avro object container file with a record {headers, body} for each event.
#pragma once

#include <string>

#include "config/fields.h"
#include "core/component.h"
#include "core/serializer.h"
#include "serializer/avro_container_writer.h"

namespace millrace {

struct AvroEventConfig {
  std::uint32_t sync_interval_bytes = 2'048'000;
  std::string compression_codec = "null";

  static constexpr auto fields() {
    using C = AvroEventConfig;
    return std::tuple{
        field("syncIntervalBytes", &C::sync_interval_bytes,
              "Raw bytes at which a block ends; the end of a transaction ends one too.")
            .range(32, 1 << 30),
        field("compressionCodec", &C::compression_codec,
              "null, deflate, snappy, bzip2, zstandard or xz; an unknown one means null.")
            .example("snappy"),
    };
  }
  void check(ConfigCheck& check) const;
};

// Each file has a sync marker of its own, and stands alone: none is continued. Threads: its sink's.
class AvroEventSerializer final : public EventSerializer {
 public:
  using Config = AvroEventConfig;
  AvroEventSerializer(const Config& config, SerializerContext context);

  FileContents contents() const override { return FileContents::kAvroContainer; }
  Result<> begin(std::string& out) override;
  Result<> append(const EventBatch& batch, std::string& out) override;
  Result<> flush(std::string& out) override;
  void drop_open() override { writer_.drop_block(); }
  Result<> end(std::string&) override { return {}; }

 private:
  AvroContainerWriter writer_;
};

}  // namespace millrace
