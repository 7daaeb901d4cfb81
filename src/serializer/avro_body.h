// org.apache.flume.sink.hdfs.AvroEventSerializer$Builder: bodies are values of an Avro schema,
// which their headers name; the file is a container of these values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "config/fields.h"
#include "core/component.h"
#include "core/serializer.h"
#include "serializer/avro_container_writer.h"
#include "serializer/avro_event.h"
#include "serializer/avro_schema.h"

namespace millrace {

struct AvroBodyConfig : AvroEventConfig {
  std::optional<std::string> schema_url;

  static constexpr auto fields() {
    using C = AvroBodyConfig;
    return std::tuple_cat(
        AvroEventConfig::fields(),
        std::tuple{
            field("schemaURL", &C::schema_url,
                  "Where the schema is of events that name none in a header: a file:// URL.")
                .example("file:///etc/millrace/event.avsc"),
        });
  }
};

// A serializer has one schema, that of the first event which it is shown: all files of a sink share
// it. An event is rejected when it names none, or one that is no schema or another, or when its
// body is no value of it. A file is empty until its first event. Each file has a sync marker of its
// own. Threads: its sink's.
class AvroBodySerializer final : public EventSerializer {
 public:
  using Config = AvroBodyConfig;
  AvroBodySerializer(Config config, const SerializerContext& context)
      : config_(std::move(config)), context_(context) {}

  FileContents contents() const override { return FileContents::kAvroContainer; }
  bool takes_all() const override { return false; }
  Result<> check(const EventRef& event) override;
  Result<> begin(std::string& out) override;
  Result<> append(const EventBatch& batch, std::string& out) override;
  Result<> flush(std::string& out) override;
  void drop_open() override;

 private:
  // The header goes out with the first event. Whoever drops a transaction that it went with cuts
  // the file to nothing; that one was kept is known when another is appended or flushed.
  enum class Head { kNone, kAppended, kFlushed, kKept };

  void begin_container(std::string& out);
  struct Schema {
    std::string text;
    AvroSchema parsed;
    std::string canonical_form;
  };
  using Schemas = std::map<std::string, Schema, std::less<>>;  // By URL, or by text.

  Result<const Schema*> schema_of(const EventRef& event);
  Result<const Schema*> schema_at(std::string_view url);
  Result<const Schema*> keep(Schemas& schemas, std::string_view name, std::string text);
  Result<std::string> read(const std::string& url) const;

  const Config config_;
  const SerializerContext context_;
  Schemas by_url_;
  Schemas by_text_;
  const Schema* schema_ = nullptr;  // Null: no event was checked yet.
  Head head_ = Head::kNone;
  std::optional<AvroContainerWriter> writer_;
};

}  // namespace millrace
