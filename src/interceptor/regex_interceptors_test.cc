#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/registry.h"
#include "core/testing.h"
#include "interceptor/joda_pattern.h"
#include "io/event_loop.h"

namespace millrace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_kit::bodies_of;
using testing_kit::HeaderList;
using testing_kit::headers_of;
using testing_kit::TestEvent;

class RegexInterceptorsTest : public testing::Test {
 protected:
  std::unique_ptr<Interceptor> make(std::string_view type, const PropertySection& keys) {
    Diagnostics diagnostics;
    const auto* entry = InterceptorRegistry::instance().find(type);
    EXPECT_NE(entry, nullptr) << type;
    const auto prepared = entry->prepare(keys, diagnostics, common_nested_keys());
    EXPECT_TRUE(prepared) << diagnostics.to_string();
    return prepared->make({"r1.i1", services});
  }
  // What refuses these keys.
  std::string fault(std::string_view type, const PropertySection& keys) {
    Diagnostics diagnostics;
    const auto* entry = InterceptorRegistry::instance().find(type);
    EXPECT_FALSE(entry->prepare(keys, diagnostics, common_nested_keys()));
    return diagnostics.to_string();
  }
  BatchPtr applied(std::string_view type, const PropertySection& keys,
                   const std::vector<TestEvent>& events) {
    const std::unique_ptr<Interceptor> interceptor = make(type, keys);
    EventBatch::Builder builder = slabs.builder_of(events);
    interceptor->apply(builder);
    return builder.seal();
  }
  std::vector<std::string> filtered(const PropertySection& keys,
                                    const std::vector<TestEvent>& events) {
    return bodies_of(*applied("regex_filter", keys, events));
  }
  HeaderList extracted(const PropertySection& keys, const TestEvent& event) {
    return headers_of((*applied("regex_extractor", keys, {event}))[0]);
  }
  std::string rewritten(const PropertySection& keys, const std::string& body) {
    return bodies_of(*applied("search_replace", keys, {{body, {{"h", "1"}}}}))[0];
  }
  std::uint64_t count(std::string_view counter) {
    return registry.group("INTERCEPTOR", "r1.i1").counter(counter).value();
  }

  testing_kit::Slabs slabs;
  FakeClock clock;
  MetricsRegistry registry;
  EventLoop loop{"test"};
  Services services{clock, real_file_system(), slabs.pool(), registry, loop};
};

// Flume's TestRegexFilteringInterceptor.
TEST_F(RegexInterceptorsTest, FilterKeepsWhatMatchesOrDropsIt) {
  const std::vector<TestEvent> events{{"INFO log line", {}}, {"WARNING: x", {}}, {"bad ERROR", {}}};
  EXPECT_THAT(filtered({{"regex", ".*(INFO|WARN).*"}}, events),
              ElementsAre("INFO log line", "WARNING: x"));
  EXPECT_THAT(filtered({{"regex", "ERROR"}}, events), ElementsAre("bad ERROR"));
  EXPECT_THAT(filtered({{"regex", ".*(INFO|WARN).*"}, {"excludeEvents", "true"}}, events),
              ElementsAre("bad ERROR"));
  EXPECT_EQ(filtered({}, events).size(), 3u);
  EXPECT_THAT(filtered({{"excludeEvents", "true"}}, {{"\xFF\n", {}}, {"", {}}}), ElementsAre());
}

TEST_F(RegexInterceptorsTest, FilterKeepsWhatItsSearchGivesUpOn) {
  const std::string endless = std::string(60, 'x').append("!y");
  for (const std::string_view exclude : {"true", "false"}) {
    EXPECT_THAT(filtered({{"regex", "^(x+x+)+[yz]"}, {"excludeEvents", exclude}},
                         {{endless, {}}, {exclude == "true" ? "xxy" : "a", {}}}),
                ElementsAre(endless));
  }
  EXPECT_EQ(count("EventRegexGaveUpCount"), 2u);
}

// Flume's TestRegexExtractorInterceptor.
TEST_F(RegexInterceptorsTest, ExtractorMakesHeadersOfGroups) {
  const PropertySection keys{{"regex", "(\\d):(\\d):(\\d)"},
                             {"serializers", "s1 s2 s3"},
                             {"serializers.s1.name", "Num1"},
                             {"serializers.s2.name", "Num2"},
                             {"serializers.s3.name", "Num3"}};
  EXPECT_EQ(extracted(keys, {"1:2:3.4foobar5", {}}),
            (HeaderList{{"Num1", "1"}, {"Num2", "2"}, {"Num3", "3"}}));
  EXPECT_EQ(extracted(keys, {"no match", {{"a", "b"}}}), (HeaderList{{"a", "b"}}));
  EXPECT_EQ(extracted(keys, {"1:2:3", {{"a", "b"}, {"Num2", "old"}}}),
            (HeaderList{{"a", "b"}, {"Num2", "2"}, {"Num1", "1"}, {"Num3", "3"}}));
  EXPECT_EQ(extracted({{"regex", "(\\d):(\\d):(\\d)"},
                       {"serializers", "s1 s2"},
                       {"serializers.s1.name", "Num1"},
                       {"serializers.s2.name", "Num2"}},
                      {"1:2:3", {}}),
            (HeaderList{{"Num1", "1"}, {"Num2", "2"}}));
  EXPECT_EQ(extracted({{"regex", "(\\d)"},
                       {"serializers", "s1 s2"},
                       {"serializers.s1.name", "a"},
                       {"serializers.s2.name", "b"}},
                      {"7", {}}),
            (HeaderList{{"a", "7"}}));
}

TEST_F(RegexInterceptorsTest, ExtractorGivesNoHeaderForAGroupThatTookNoPart) {
  const PropertySection keys{{"regex", "code=(\\d+)(?: user=(\\w+))?"},
                             {"serializers", "s1 s2"},
                             {"serializers.s1.name", "code"},
                             {"serializers.s1.type", "DEFAULT"},
                             {"serializers.s2.name", "user"}};
  EXPECT_EQ(extracted(keys, {"code=200 user=ana", {}}),
            (HeaderList{{"code", "200"}, {"user", "ana"}}));
  EXPECT_EQ(extracted(keys, {"code=404", {}}), (HeaderList{{"code", "404"}}));
  EXPECT_EQ(extracted(keys, {"code=404", {{"user", "before"}}}),
            (HeaderList{{"user", "before"}, {"code", "404"}}));
}

TEST_F(RegexInterceptorsTest, ExtractorTurnsTimesIntoMilliseconds) {
  const std::string package = "org.apache.flume.interceptor.RegexExtractorInterceptor";
  const PropertySection keys{{"regex", "^(\\S+ \\S+) (.*)$"},
                             {"serializers", "s1 s2"},
                             {"serializers.s1.name", "timestamp"},
                             {"serializers.s1.type", package + "MillisSerializer"},
                             {"serializers.s1.pattern", "yyyy-MM-dd HH:mm:ssZ"},
                             {"serializers.s2.name", "rest"},
                             {"serializers.s2.type", package + "PassThroughSerializer"}};
  EXPECT_EQ(extracted(keys, {"2012-09-15 16:53:53+0000 x", {}}),
            (HeaderList{{"timestamp", "1347728033000"}, {"rest", "x"}}));
  EXPECT_EQ(extracted(keys, {"2012-09-15 25:53:53+0000 x", {}}), (HeaderList{{"rest", "x"}}));
  EXPECT_EQ(count("EventUnreadableGroupCount"), 1u);
}

TEST_F(RegexInterceptorsTest, ExtractorRefusesWhatFlumeRefuses) {
  EXPECT_THAT(fault("regex_extractor", {{"serializers", "s"}, {"serializers.s.name", "a"}}),
              HasSubstr("regex"));
  EXPECT_THAT(fault("regex_extractor", {{"regex", "(a)"}}), HasSubstr("serializers"));
  EXPECT_THAT(fault("regex_extractor", {{"regex", "(a)"}, {"serializers", "s"}}),
              HasSubstr("serializers.s.name"));
  EXPECT_THAT(fault("regex_extractor",
                    {{"regex", "(a"}, {"serializers", "s"}, {"serializers.s.name", "a"}}),
              HasSubstr("unclosed group (at character 2)"));
  EXPECT_THAT(fault("regex_extractor", {{"regex", "(a)"},
                                        {"serializers", "s"},
                                        {"serializers.s.name", "a"},
                                        {"serializers.s.type", "com.example.Mine"}}),
              HasSubstr("expected default"));
  EXPECT_THAT(fault("regex_extractor", {{"regex", "(a)(b)"},
                                        {"serializers", "s t"},
                                        {"serializers.s.name", "a"},
                                        {"serializers.t.name", "a"}}),
              HasSubstr("another serializer"));
}

// Flume's TestSearchAndReplaceInterceptor.
TEST_F(RegexInterceptorsTest, SearchReplaceRewritesBodies) {
  EXPECT_EQ(rewritten({{"searchPattern", "^prefix"}}, "prefix non-prefix suffix"),
            " non-prefix suffix");
  EXPECT_EQ(rewritten({{"searchPattern", "suffix$"}, {"replaceString", ""}}, "a suffix"), "a ");
  EXPECT_EQ(rewritten({{"searchPattern", "The (\\w+) (\\w+)"}, {"replaceString", "The $2 $1"}},
                      "The quick brown fox"),
            "The brown quick fox");
  EXPECT_EQ(rewritten({{"searchPattern", "\\d"}, {"replaceString", "\\$#"}},
                      "a1\xFF"
                      "2"),
            "a$#\xFF$#");
  EXPECT_EQ(rewritten({{"searchPattern", "x"}, {"replaceString", "y"}}, "as it is"), "as it is");
  EXPECT_EQ(rewritten({{"searchPattern", ".*"}}, "gone"), "");
}

TEST_F(RegexInterceptorsTest, SearchReplaceKnowsOtherCharsets) {
  const PropertySection keys{
      {"searchPattern", "\xC3\xA9"}, {"replaceString", "\xC3\xA8!"}, {"charset", "ISO-8859-1"}};
  EXPECT_EQ(rewritten(keys, "caf\xE9"), "caf\xE8!");
  const PropertySection utf16{{"searchPattern", "a"}, {"charset", "UTF-16LE"}};
  EXPECT_EQ(rewritten(utf16, std::string("a\0b\0", 4)), std::string("b\0", 2));
  EXPECT_EQ(rewritten(utf16, "a"), "a");
  EXPECT_EQ(count("EventUnconvertedCount"), 1u);
}

TEST_F(RegexInterceptorsTest, SearchReplaceRefusesWhatWouldThrowLater) {
  EXPECT_THAT(fault("search_replace", {}), HasSubstr("searchPattern"));
  EXPECT_THAT(fault("search_replace", {{"searchPattern", "["}}), HasSubstr("unclosed character"));
  EXPECT_THAT(fault("search_replace", {{"searchPattern", "a"}, {"replaceString", "$1"}}),
              HasSubstr("there is no group 1"));
  EXPECT_THAT(fault("search_replace", {{"searchPattern", "a"}, {"charset", "x-none"}}),
              HasSubstr("no encoding"));
}

// Flume's RemoveHeaderInterceptorTest.
TEST_F(RegexInterceptorsTest, RemoveHeaderByNameListAndExpression) {
  const HeaderList before{{"my10", "a"}, {"my11", "b"}, {"x", "c"}, {"y", "d"}, {"my", "e"}};
  const auto after = [&](const PropertySection& keys) {
    const BatchPtr batch = applied("remove_header", keys, {{"", before}});
    std::string names;
    for (const auto& [name, value] : headers_of((*batch)[0])) {
      names += name + " ";
    }
    return names;
  };
  EXPECT_EQ(after({}), "my10 my11 x y my ");
  EXPECT_EQ(after({{"withName", "x"}}), "my10 my11 y my ");
  EXPECT_EQ(after({{"fromList", "x , my11"}}), "my10 y my ");
  EXPECT_EQ(after({{"fromList", "x;y"}, {"fromListSeparator", ";"}}), "my10 my11 my ");
  EXPECT_EQ(after({{"matching", "my1.*"}}), "x y my ");
  EXPECT_EQ(after({{"matching", "y"}}), "my10 my11 x my ");
  EXPECT_EQ(after({{"withName", "x"}, {"fromList", "y"}, {"matching", "my"}}), "my10 my11 ");
  EXPECT_THAT(fault("remove_header", {{"matching", "("}}), HasSubstr("unclosed group"));
}

TEST_F(RegexInterceptorsTest, SearchReplaceKeepsABodyThatWouldGrowTooLarge) {
  const std::string body(1'000'000, 'x');
  const PropertySection keys{{"searchPattern", "."}, {"replaceString", std::string(10'000, 'r')}};
  EXPECT_EQ(rewritten(keys, body), body);
  EXPECT_EQ(count("EventRegexGaveUpCount"), 1u);
  EXPECT_EQ(rewritten(keys, "xy").size(), 20'000u);
}

TEST_F(RegexInterceptorsTest, UuidGivesEachEventItsOwn) {
  const std::string type = "org.apache.flume.sink.solr.morphline.UUIDInterceptor$Builder";
  std::vector<TestEvent> events(1000, TestEvent{"b", {{"host", "a"}}});
  const BatchPtr batch = applied(type, {{"prefix", "p-"}}, events);
  std::set<std::string> ids;
  for (const EventRef& event : *batch) {
    const HeaderList headers = headers_of(event);
    ASSERT_EQ(headers.size(), 2u);
    EXPECT_EQ(headers[0], (std::pair<std::string, std::string>{"host", "a"}));
    EXPECT_EQ(headers[1].first, "id");
    EXPECT_THAT(headers[1].second,
                testing::MatchesRegex("p-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
                                      "[0-9a-f]{12}"));
    ids.insert(headers[1].second);
  }
  EXPECT_EQ(ids.size(), events.size());
  const auto one = [&](const PropertySection& keys) {
    return headers_of((*applied("uuid", keys, {{"b", {{"id", "mine"}}}}))[0]);
  };
  EXPECT_EQ(one({}), (HeaderList{{"id", "mine"}}));
  EXPECT_EQ(one({{"headerName", "key"}}).size(), 2u);
  EXPECT_NE(one({{"preserveExisting", "false"}}), (HeaderList{{"id", "mine"}}));
}

// Joda-Time's rules: the whole text, numbers of a calendar, the year 2000 where none is named.
TEST(JodaPatternTest, ReadsTimes) {
  const auto ms = [](std::string_view pattern, std::string_view text) {
    const Result<JodaPattern> compiled = JodaPattern::compile(pattern);
    EXPECT_TRUE(compiled.ok()) << pattern;
    return (*compiled).parse(text).value_or(-1);
  };
  EXPECT_EQ(ms("yyyy-MM-dd'T'HH:mm:ss.SSSZZ", "2012-09-15T16:53:53.123+02:00"), 1347720833123);
  EXPECT_EQ(ms("yyyyMMddHHmmssZ", "20120915165353Z"), 1347728033000);
  EXPECT_EQ(ms("EEE, d MMM yyyy h:mm a Z", "Sat, 15 Sep 2012 4:53 PM +0000"), 1347727980000);
  EXPECT_EQ(ms("yyyy.SSSZ", "1970.5+0000"), 500);
  EXPECT_EQ(ms("MMM d HH:mm:ssZ", "Jan 2 00:00:00+0000"), 946771200000);
  EXPECT_EQ(ms("yy-MM-dd''Z", "12-09-15'+0000"), 1347667200000);
  EXPECT_EQ(ms("yyyy-MM-ddZ", "2012-02-30+0000"), -1);
  EXPECT_EQ(ms("yyyy-MM-ddZ", "2012-13-01+0000"), -1);
  EXPECT_EQ(ms("yyyy-MM-ddZ", "2012-12-01+0000 "), -1);
  EXPECT_EQ(ms("yyyyZ", "999999999+0000"), -1);
  EXPECT_FALSE(JodaPattern::compile("yyyy ww").ok());
  EXPECT_FALSE(JodaPattern::compile("'open").ok());
  EXPECT_FALSE(JodaPattern::compile("").ok());
}

}  // namespace
}  // namespace millrace
