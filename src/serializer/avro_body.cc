#include "serializer/avro_body.h"

#include "core/registry.h"
#include "serializer/sync_marker.h"

namespace millrace {
namespace {

constexpr std::string_view kUrlHeader = "flume.avro.schema.url";
constexpr std::string_view kTextHeader = "flume.avro.schema.literal";
constexpr std::string_view kFile = "file:";
constexpr std::size_t kMostSchemas = 100;  // Kept of those that events name.

}  // namespace

Result<> AvroBodySerializer::check(const EventRef& event) {
  const Schema* const schema = TRY(schema_of(event));
  if (schema_ != nullptr && schema->canonical_form != schema_->canonical_form) {
    return rejected(
        "its Avro schema is not that of the first event: each schema needs a sink of its own");
  }
  const Result<std::string_view> value = schema->parsed.first_value(event.body());
  if (!value.ok() || (*value).size() != event.body_size) {
    return rejected("its body is no value of its Avro schema");
  }
  schema_ = schema_ == nullptr ? schema : schema_;
  return {};
}

Result<> AvroBodySerializer::begin(std::string&) {
  head_ = Head::kNone;
  return {};
}

Result<> AvroBodySerializer::append(const EventBatch& batch, std::string& out) {
  if (head_ == Head::kFlushed) {
    head_ = Head::kKept;
  }
  for (const EventRef& event : batch) {
    TRY(check(event));
    if (head_ == Head::kNone) {
      begin_container(out);
    }
    TRY(writer_->append_value(event.body(), out));
  }
  return {};
}

Result<> AvroBodySerializer::flush(std::string& out) {
  if (head_ == Head::kNone) {
    return {};
  }
  head_ = head_ == Head::kAppended ? Head::kFlushed : Head::kKept;
  return writer_->end_block(out);
}

void AvroBodySerializer::drop_open() {
  if (head_ == Head::kKept) {
    writer_->drop_block();
  } else {
    head_ = Head::kNone;
  }
}

void AvroBodySerializer::begin_container(std::string& out) {
  writer_.emplace(
      AvroWriterOptions{avro_codec_named(config_.compression_codec).value_or(AvroCodec::kNull),
                        config_.sync_interval_bytes, schema_->text});
  writer_->begin(random_sync_marker(), out);
  head_ = Head::kAppended;
}

Result<const AvroBodySerializer::Schema*> AvroBodySerializer::schema_of(const EventRef& event) {
  const HeaderView headers = event.headers();
  if (const auto url = headers.find(kUrlHeader)) {
    return schema_at(*url);
  }
  if (const auto text = headers.find(kTextHeader)) {
    const auto known = by_text_.find(*text);
    return known != by_text_.end() ? Result<const Schema*>(&known->second)
                                   : keep(by_text_, *text, std::string(*text));
  }
  return config_.schema_url ? schema_at(*config_.schema_url)
                            : Result<const Schema*>(
                                  rejected("it names no Avro schema: it has neither the header "
                                           "flume.avro.schema.url nor flume.avro.schema.literal"));
}

Result<const AvroBodySerializer::Schema*> AvroBodySerializer::schema_at(std::string_view url) {
  const auto known = by_url_.find(url);
  if (known != by_url_.end()) {
    return &known->second;
  }
  std::string text = TRY(read(std::string(url)));
  return keep(by_url_, url, std::move(text));
}

// Whoever makes up schemas without end does not fill the memory: their events are rejected.
Result<const AvroBodySerializer::Schema*> AvroBodySerializer::keep(Schemas& schemas,
                                                                   std::string_view name,
                                                                   std::string text) {
  if (schemas.size() == kMostSchemas) {
    return rejected("its Avro schema is one of too many for a file");
  }
  Result<AvroSchema> parsed = AvroSchema::parse(text);
  if (!parsed.ok()) {
    return rejected("its Avro schema is none: " + parsed.error().message());
  }
  std::string canonical_form = parsed->canonical_form();
  const auto made = schemas.emplace(
      name, Schema{std::move(text), std::move(parsed).value(), std::move(canonical_form)});
  return &made.first->second;
}

Result<std::string> AvroBodySerializer::read(const std::string& url) const {
  if (!url.starts_with(kFile)) {
    return rejected("its Avro schema is at " + url + ", which cannot be read: use file://");
  }
  const std::size_t path = url.find_first_not_of('/', kFile.size());
  if (path == std::string::npos || path == kFile.size()) {
    return rejected("its Avro schema is at " + url + ", which is no file");
  }
  return read_file(context_.services.files, url.substr(path - 1));
}

const RegisterSerializer<AvroBodySerializer> entry{
    "", "org.apache.flume.sink.hdfs.AvroEventSerializer$Builder",
    "An Avro container file of the bodies, whose schema their headers name."};

}  // namespace millrace
