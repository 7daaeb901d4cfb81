// The deserializer AVRO (Flume 1.11, AvroEventDeserializer): the records of an Avro object
// container file, as events.
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/log.h"
#include "config/fields.h"
#include "core/deserializer.h"
#include "core/registry.h"
#include "serializer/avro_container.h"
#include "serializer/avro_container_reader.h"
#include "serializer/avro_schema.h"

namespace millrace {
namespace {

constexpr std::string_view kComponent = "deserializer AVRO";

struct AvroDeserializerConfig {
  std::string schema_type = "HASH";

  static constexpr auto fields() {
    using C = AvroDeserializerConfig;
    return std::tuple{
        field("schemaType", &C::schema_type,
              "How an event tells its schema: HASH puts the fingerprint into the header "
              "flume.avro.schema.hash, LITERAL the whole schema into flume.avro.schema.literal.")
            .choices({"HASH", "LITERAL"}),
    };
  }
};

// A body is one record in Avro's binary encoding, as it stands in the file. Any codec and any
// schema will do.
// Position: of the sync marker before the block at hand, as Flume's: its records come again.
// Damage: under kFail the file ends there with kCorrupt; else what lies up to the next whole block
// is left out, which is logged.
// Memory: a block, packed and as it was, beside the events' own.
class AvroDeserializer final : public EventDeserializer {
 public:
  using Config = AvroDeserializerConfig;
  AvroDeserializer(Config config, DeserializerContext context)
      : config_(std::move(config)), context_(std::move(context)) {}

  Result<> begin(HeaderEditor& headers) override;
  Result<Read> read(EventBatch::Builder& builder, std::size_t most,
                    std::string_view headers) override;
  std::uint64_t position() const override;

 private:
  enum class Step { kGiven, kEnd, kNoMemory };
  Result<> go_on();
  Result<Step> next(EventBatch::Builder& builder, std::string_view headers);
  Result<bool> skip_damage(const Error& damage);

  const Config config_;
  DeserializerContext context_;
  std::optional<AvroContainerReader> reader_;
  std::optional<AvroSchema> schema_;
  std::string fingerprint_;
  AvroBlock block_{};         // The one at hand.
  std::uint64_t left_ = 0;    // Records of it,
  std::string_view bytes_{};  // and what they lie in.
};

Result<> AvroDeserializer::begin(HeaderEditor& headers) {
  AvroReaderOptions options;
  options.any_schema = true;
  reader_ = TRY(AvroContainerReader::over(std::move(context_.file), "container", options));
  if (reader_->end() != FileEnd::kOpen) {
    TRY(reader_->next_block());  // Says what is wrong with the header.
  }
  schema_ = TRY(AvroSchema::parse(reader_->schema()));
  if (config_.schema_type == "HASH") {
    fingerprint_ = schema_->fingerprint();
    headers.set("flume.avro.schema.hash", fingerprint_);
  } else {
    headers.set("flume.avro.schema.literal", reader_->schema());
  }
  return go_on();
}

// A position of ours or of Flume's is that of a marker.
Result<> AvroDeserializer::go_on() {
  if (context_.position > 0 && !TRY(reader_->go_behind_marker(context_.position))) {
    log_warning(kComponent, "{} has no block border at byte {} or behind: read from its begin",
                context_.name, context_.position);
  }
  return {};
}

Result<EventDeserializer::Read> AvroDeserializer::read(EventBatch::Builder& builder,
                                                       std::size_t most, std::string_view headers) {
  while (builder.size() < most) {
    const Result<Step> step = next(builder, headers);
    if (!step.ok()) {
      if (!TRY(skip_damage(step.error()))) {
        return Read::kEnd;
      }
    } else if (step.value() == Step::kEnd) {
      return Read::kEnd;
    } else if (step.value() == Step::kNoMemory) {
      return Read::kNoMemory;
    }
  }
  return Read::kEvents;
}

Result<AvroDeserializer::Step> AvroDeserializer::next(EventBatch::Builder& builder,
                                                      std::string_view headers) {
  while (left_ == 0) {
    if (!bytes_.empty()) {
      return corrupt("bytes behind the last record of the block at byte " +
                     std::to_string(block_.offset));
    }
    if (reader_->whole_bytes() >= context_.end) {
      return Step::kEnd;
    }
    const std::optional<AvroBlock> block = TRY(reader_->next_block());
    if (!block) {
      return Step::kEnd;
    }
    block_ = *block;
    bytes_ = block->bytes;
    left_ = block->records;
  }
  const std::string_view record = TRY(schema_->first_value(bytes_).with(
      "a record of the block at byte " + std::to_string(block_.offset)));
  const std::string_view body = builder.store_body(record);
  if (body.data() == nullptr) {
    return Step::kNoMemory;
  }
  builder.add(body, headers);
  bytes_.remove_prefix(record.size());
  --left_;
  return Step::kGiven;
}

// Whether to read on.
Result<bool> AvroDeserializer::skip_damage(const Error& damage) {
  if (damage.fault() != Fault::kCorrupt || context_.errors == DecodeErrors::kFail) {
    return damage;
  }
  const bool is_in_block = !bytes_.empty() || left_ > 0;
  bytes_ = {};
  left_ = 0;
  const bool goes_on = is_in_block || TRY(reader_->skip_damage());
  log_warning(kComponent, "{}: {}; left out up to {}", context_.name, damage.message(),
              goes_on ? "byte " + std::to_string(reader_->whole_bytes()) : "its end");
  return goes_on;
}

std::uint64_t AvroDeserializer::position() const {
  return (left_ > 0 ? block_.offset : reader_->whole_bytes()) - kAvroSyncBytes;
}

const RegisterDeserializer<AvroDeserializer> entry{
    "AVRO", "org.apache.flume.serialization.AvroEventDeserializer$Builder",
    "Makes an event of each record of an Avro object container file."};

}  // namespace
}  // namespace millrace
