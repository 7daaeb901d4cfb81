// What tests of the syslog indexer share: lines in, events out.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/syslog/syslog_indexer.h"

namespace millrace {

class SyslogIndexerFixture : public testing::Test {
 protected:
  using Headers = std::map<std::string, std::string>;
  struct Made {
    std::string body;
    Headers headers;
  };

  // All events of a stream, read in one piece.
  std::vector<Made> events_of(SyslogDialect dialect, std::string_view stream,
                              std::size_t longest = 2500) {
    SyslogIndexer indexer(std::move(dialect));
    indexer.start_read(origin_, 1'764'500'000'000);
    EventBatch::Builder builder(space_);
    const LineFramer framer(longest);
    for (FramedLine line; framer.next(stream, line);) {
      indexer.add(builder, line);
    }
    counts_ = indexer.take_counts();
    std::vector<Made> made;
    for (const EventRef& event : builder.events()) {
      Headers headers;
      for (const auto& [name, value] : event.headers()) {
        headers.emplace(name, value);
      }
      EXPECT_TRUE(check_header_block(event.header_block()).ok());
      made.push_back({std::string(event.body()), std::move(headers)});
    }
    blocks_.clear();
    for (const EventRef& event : builder.events()) {
      blocks_.push_back(event.headers_data);
    }
    return made;
  }
  Made only_event_of(SyslogDialect dialect, std::string_view stream, std::size_t longest = 2500) {
    const auto made = events_of(std::move(dialect), stream, longest);
    EXPECT_EQ(made.size(), 1u);
    return made.empty() ? Made{} : made.front();
  }
  static SyslogDialect pattern(std::string_view keep = "none") {
    return {SyslogDialect::Rules::kPattern, parse_keep_fields(keep)};
  }
  static SyslogDialect position(std::string_view keep = "none") {
    return {SyslogDialect::Rules::kPosition, parse_keep_fields(keep)};
  }

  ByteBudget budget_{64 << 20};
  SlabPool pool_{budget_};
  BatchSpace space_{pool_};
  SyslogOrigin origin_;
  SyslogIndexer::Counts counts_;
  std::vector<const char*> blocks_;
};

}  // namespace millrace
