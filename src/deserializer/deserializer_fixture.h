// What tests of deserializers share: one over a file in memory, read to its end.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/registry.h"
#include "core/testing.h"
#include "io/fake_file_system.h"

namespace millrace {

class DeserializerFixture : public testing::Test {
 protected:
  using Keys = std::initializer_list<std::pair<std::string_view, std::string_view>>;
  struct ReadEvent {
    std::string body;
    testing_kit::HeaderList headers;
    std::uint64_t position;  // Behind the batch that it was in.
  };

  explicit DeserializerFixture(std::string type) : type_(std::move(type)) {}

  // The next deserializers are over these bytes, from `position` on.
  void use(std::string_view bytes, std::uint64_t position = 0) {
    files_.put("/f", bytes);
    size_ = bytes.size();
    position_ = position;
  }
  void use_policy(DecodeErrors errors) { errors_ = errors; }
  void use_charset(std::string charset) { charset_ = std::move(charset); }
  void limit_memory(std::size_t bytes) { slabs_ = std::make_unique<testing_kit::Slabs>(bytes); }

  std::unique_ptr<EventDeserializer> make(Keys keys = {}) {
    Diagnostics faults;
    const auto prepared = DeserializerRegistry::instance().find(type_)->prepare(
        PropertySection(keys), faults, common_nested_keys());
    EXPECT_TRUE(prepared.has_value()) << faults.to_string();
    return prepared->make({slabs_->space(), files_.open("/f", OpenMode::kRead).value(), "/f",
                           position_, size_, charset_, errors_});
  }
  std::size_t faults(Keys keys) const {
    Diagnostics faults;
    (void)DeserializerRegistry::instance().find(type_)->prepare(PropertySection(keys), faults,
                                                                common_nested_keys());
    return faults.error_count();
  }
  // All events, in batches of `most`; stops at an error, which is kept in error().
  std::vector<ReadEvent> read_all(Keys keys = {}, std::size_t most = 100) {
    const auto deserializer = make(keys);
    std::vector<ReadEvent> events;
    error_.reset();
    HeaderEditor headers;
    if (const Result<> begun = deserializer->begin(headers); !begun.ok()) {
      error_ = begun.error();
      return events;
    }
    const std::string block = headers.encode();
    for (bool more = true; more;) {
      EventBatch::Builder builder(slabs_->space());
      const auto read = deserializer->read(builder, most, builder.store_header_block(block));
      for (const EventRef& event : builder.events()) {
        events.push_back(
            {std::string(event.body()), testing_kit::headers_of(event), deserializer->position()});
      }
      EXPECT_LE(builder.size(), most);
      if (!read.ok()) {
        error_ = read.error();
      }
      more = read.ok() && read.value() == EventDeserializer::Read::kEvents;
    }
    return events;
  }
  std::vector<std::string> bodies(Keys keys = {}, std::size_t most = 100) {
    std::vector<std::string> bodies;
    for (ReadEvent& event : read_all(keys, most)) {
      bodies.push_back(std::move(event.body));
    }
    return bodies;
  }
  std::string error() const { return error_ ? error_->message() : ""; }

  std::unique_ptr<testing_kit::Slabs> slabs_ = std::make_unique<testing_kit::Slabs>();
  FakeFileSystem files_;

 private:
  const std::string type_;
  std::uint64_t size_ = 0;
  std::uint64_t position_ = 0;
  std::string charset_ = "UTF-8";
  DecodeErrors errors_ = DecodeErrors::kFail;
  std::optional<Error> error_;
};

}  // namespace millrace
