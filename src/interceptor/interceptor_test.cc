#include <gtest/gtest.h>

#include "core/registry.h"
#include "core/testing.h"
#include "io/event_loop.h"

namespace millrace {
namespace {

using testing_kit::HeaderList;
using testing_kit::headers_of;

class InterceptorTest : public testing::Test {
 protected:
  HeaderList applied(std::string_view type, const PropertySection& keys, const HeaderList& before) {
    Diagnostics diagnostics;
    const auto* entry = InterceptorRegistry::instance().find(type);
    EXPECT_NE(entry, nullptr) << type;
    const auto prepared = entry->prepare(keys, diagnostics, common_nested_keys());
    EXPECT_TRUE(prepared) << diagnostics.to_string();
    const std::unique_ptr<Interceptor> interceptor = prepared->make({"i1", services});
    EventBatch::Builder builder = slabs.builder_of({{"body", before}});
    interceptor->apply(builder);
    return headers_of((*builder.seal())[0]);
  }

  testing_kit::Slabs slabs;
  FakeClock clock;
  MetricsRegistry registry;
  EventLoop loop{"test"};
  Services services{clock, real_file_system(), slabs.pool(), registry, loop};
};

// The defaults differ, as in Flume: static keeps what is there, the others do not.
TEST_F(InterceptorTest, StaticKeepsAnExistingHeaderUnlessToldOtherwise) {
  EXPECT_EQ(applied("static", {{"key", "site"}, {"value", "B"}}, {{"site", "A"}}),
            (HeaderList{{"site", "A"}}));
  EXPECT_EQ(applied("static", {{"key", "site"}, {"value", "B"}, {"preserveExisting", "false"}},
                    {{"site", "A"}}),
            (HeaderList{{"site", "B"}}));
  EXPECT_EQ(applied("org.apache.flume.interceptor.StaticInterceptor$Builder", {}, {}),
            (HeaderList{{"key", "value"}}));
}

TEST_F(InterceptorTest, TimestampIsTheTimeOfArrivalUnlessToldOtherwise) {
  EXPECT_EQ(applied("timestamp", {}, {{"timestamp", "1"}}),
            (HeaderList{{"timestamp", "1700000000000"}}));
  EXPECT_EQ(applied("timestamp", {{"preserveExisting", "true"}}, {{"timestamp", "1"}}),
            (HeaderList{{"timestamp", "1"}}));
  EXPECT_EQ(applied("timestamp", {{"headerName", "at"}}, {}),
            (HeaderList{{"at", "1700000000000"}}));
}

TEST_F(InterceptorTest, HostReplacesTheOriginUnlessToldOtherwise) {
  const HeaderList replaced = applied("host", {}, {{"host", "origin"}});
  ASSERT_EQ(replaced.size(), 1u);
  EXPECT_NE(replaced[0].second, "origin");
  EXPECT_EQ(replaced[0].second.find_first_not_of("0123456789abcdef.:"), std::string::npos);
  EXPECT_EQ(applied("host", {{"preserveExisting", "true"}}, {{"host", "origin"}}),
            (HeaderList{{"host", "origin"}}));
  EXPECT_EQ(applied("host", {{"hostHeader", "hostname"}, {"useIP", "false"}}, {}).at(0).first,
            "hostname");
}

}  // namespace
}  // namespace millrace
