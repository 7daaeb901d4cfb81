#include "web/monitoring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "io/tcp_test_client.h"
#include "web/flume_json.h"
#include "web/json_text.h"
#include "web/prometheus_text.h"

namespace millrace {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class MonitoringTest : public testing::Test {
 protected:
  MonitoringTest() {
    metrics_.group("SOURCE", "r1").counter("EventReceivedCount").add(3);
    metrics_.group("SOURCE", "r1").counter("StartTime", MetricKind::kGauge).set(1'700'000'000'123);
    MetricGroup& channel = metrics_.group("CHANNEL", "c1");
    channel.computed("ChannelCapacity", MetricKind::kGauge, [] { return 10'000; });
    channel.computed("ChannelFillPercentage", MetricKind::kGauge, [] { return 0; });
    channel.counter("EventPutSuccessCount").add(5);
    channel.computed_text("Note", [] { return "say \"hi\"\n"; });
    metrics_.group("SINK", "k1").counter("EventDrainSuccessCount");
  }
  HttpResponse get(const std::string& path, const std::string& accept = "*/*",
                   bool flume_json = false, const std::string& method = "GET") {
    return monitoring_page({.method = method, .path = path, .headers = {{"accept", accept}}},
                           inputs_, flume_json);
  }

  MetricsRegistry metrics_;
  std::vector<HealthLine> health_{{"source r1", true, ""}, {"sink k1", true, ""}};
  bool ready_ = true;
  MonitoringInputs inputs_{metrics_, [this] { return health_; }, [this] { return ready_; }};
};

// Case from the field: collectors break on numbers where they read text, and on counters that are
// missing until first used.
TEST_F(MonitoringTest, FlumesJsonHasEveryAttributeAsText) {
  const std::string json = flume_json(metrics_);
  EXPECT_THAT(json, StartsWith("{\"CHANNEL.c1\":{"));
  EXPECT_THAT(json, HasSubstr("\"ChannelCapacity\":\"10000\""));
  EXPECT_THAT(json, HasSubstr("\"ChannelFillPercentage\":\"0.0\""));
  EXPECT_THAT(json, HasSubstr("\"ChannelSize\":\"0\""));
  EXPECT_THAT(json, HasSubstr("\"Note\":\"say \\\"hi\\\"\\u000a\""));
  EXPECT_THAT(json, HasSubstr("\"SINK.k1\":{\"BatchCompleteCount\":\"0\""));
  EXPECT_THAT(json, HasSubstr("\"EventDrainSuccessCount\":\"0\""));
  EXPECT_THAT(json, HasSubstr("\"SOURCE.r1\":{"));
  EXPECT_THAT(json, HasSubstr("\"EventReceivedCount\":\"3\""));
  EXPECT_THAT(json,
              EndsWith("\"StartTime\":\"1700000000123\",\"StopTime\":\"0\",\"Type\":\"SOURCE\"}}"));
}

TEST_F(MonitoringTest, FillPercentageWithoutCapacityIsJavasGreatestDouble) {
  metrics_.group("CHANNEL", "c1").computed("ChannelFillPercentage", MetricKind::kGauge, [] {
    return std::numeric_limits<double>::max();
  });
  EXPECT_THAT(flume_json(metrics_), HasSubstr("\"1.7976931348623157E308\""));
}

TEST_F(MonitoringTest, PrometheusHasOurNamesAndFlumes) {
  const std::string text = prometheus_text(metrics_);
  EXPECT_THAT(text, HasSubstr("# TYPE millrace_event_put_success_total counter\n"));
  EXPECT_THAT(text,
              HasSubstr("millrace_event_put_success_total{type=\"channel\",component=\"c1\"} 5\n"));
  EXPECT_THAT(text,
              HasSubstr("millrace_channel_capacity{type=\"channel\",component=\"c1\"} 10000\n"));
  EXPECT_THAT(text, HasSubstr("Flume_EventPutSuccessCount_total{component=\"c1\"} 5\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE Flume_ChannelSize gauge\n"));
  EXPECT_THAT(text, Not(HasSubstr("Flume_ChannelFillPercentage")));
  EXPECT_THAT(text, Not(HasSubstr("note")));
  EXPECT_THAT(text, Not(HasSubstr("1700000000123")));  // Milliseconds have no place there.
  EXPECT_THAT(text, HasSubstr("millrace_tcp_resets_total "));
}

TEST(PrometheusNameTest, TurnsAttributesIntoNames) {
  EXPECT_EQ(prometheus_name("ChannelSize", MetricKind::kGauge), "millrace_channel_size");
  EXPECT_EQ(prometheus_name("OpenConnectionCount", MetricKind::kGauge),
            "millrace_open_connection_count");
  EXPECT_EQ(prometheus_name("EventReadFail", MetricKind::kCounter),
            "millrace_event_read_fail_total");
  EXPECT_EQ(prometheus_name("a.b-C", MetricKind::kGauge), "millrace_a_b__c");
}

TEST_F(MonitoringTest, MetricsComeAsAskedFor) {
  const auto is_json = [](const HttpResponse& response) {
    EXPECT_EQ(response.status, 200U);
    return response.body.starts_with('{') &&
           response.content_type == "application/json;charset=utf-8";
  };
  EXPECT_FALSE(is_json(get("/metrics")));
  EXPECT_TRUE(is_json(get("/metrics", "application/json")));
  EXPECT_TRUE(is_json(get("/METRICS", "*/*", true)));
  EXPECT_TRUE(is_json(get("/metrics", "text/html,*/*;q=0.8", true)));
  EXPECT_FALSE(is_json(get("/metrics", "application/openmetrics-text;version=1.0.0,*/*", true)));
}

TEST_F(MonitoringTest, PathsAndMethods) {
  EXPECT_THAT(get("/").body, HasSubstr("href=\"./metrics\""));
  EXPECT_EQ(get("/nothing").status, 404U);
  EXPECT_EQ(get("/metrics/").status, 404U);
  EXPECT_EQ(get("/metrics", "", false, "TRACE").status, 403U);
  EXPECT_EQ(get("/", "", false, "OPTIONS").status, 403U);
}

TEST_F(MonitoringTest, HealthNamesWhatIsWrong) {
  EXPECT_EQ(get("/health").status, 200U);
  EXPECT_THAT(get("/health").body, StartsWith("{\"ok\":true,\"parts\":[{\"name\":\"source r1\","));
  health_[1] = {"sink k1", false, "no room on \"/data\""};
  EXPECT_EQ(get("/health").status, 503U);
  EXPECT_THAT(get("/health").body,
              HasSubstr("{\"name\":\"sink k1\",\"ok\":false,\"message\":\"no room on "
                        "\\\"/data\\\"\"}],\"tcp\":{\"open_connections\":"));
}

// A group that delivers is well; the one of it that does not is named.
TEST_F(MonitoringTest, OneSinkOfAGroupMayFail) {
  health_ = {{"sink group g1", true, "k2 delivers"},
             {"sink k1", false, "no room", "g1"},
             {"sink k2", true, "", "g1"}};
  EXPECT_EQ(get("/health").status, 200U);
  EXPECT_THAT(get("/health").body, StartsWith("{\"ok\":true,"));
  EXPECT_THAT(
      get("/health").body,
      HasSubstr("{\"name\":\"sink k1\",\"ok\":false,\"message\":\"no room\",\"group\":\"g1\"}"));
  health_[2].ok = false;  // Each of a parallel group has only a line of its own.
  EXPECT_EQ(get("/health").status, 503U);
  health_[2] = {"sink k3", true, "", "g2"};
  EXPECT_EQ(get("/health").status, 503U);
  health_ = {{"sink k1", false, "no room"}, {"sink k2", true, ""}};
  EXPECT_EQ(get("/health").status, 503U);
}

TEST_F(MonitoringTest, ReadyOnceEveryPartRuns) {
  EXPECT_EQ(get("/ready").status, 200U);
  ready_ = false;
  EXPECT_EQ(get("/ready").status, 503U);
  EXPECT_EQ(get("/ready").body, "{\"ready\":false}\n");
}

TEST_F(MonitoringTest, ServesPages) {
  EventLoop loop("test");
  auto monitoring = Monitoring::start(loop, {.flume_json = true}, inputs_);
  ASSERT_TRUE(monitoring.ok());
  TestClient client(monitoring.value()->port());
  client.send("GET /metrics HTTP/1.0\r\n\r\n");
  const std::string response = client.receive_all();
  EXPECT_THAT(response, HasSubstr(" 200 OK\r\n"));
  EXPECT_THAT(response, EndsWith("\r\n\r\n" + flume_json(metrics_)));
  EXPECT_FALSE(Monitoring::start(loop, {.port = monitoring.value()->port()}, inputs_).ok());
}

TEST(JsonTextTest, EscapesAndRepairs) {
  EXPECT_EQ(json_string("a\"\\\t\x01"), R"("a\"\\\u0009\u0001")");
  EXPECT_EQ(json_string("\xC3\xA4 \xF0\x9F\x98\x80"), "\"\xC3\xA4 \xF0\x9F\x98\x80\"");
  EXPECT_EQ(json_string("\xFF\xC3"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
  EXPECT_EQ(json_string("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace millrace
