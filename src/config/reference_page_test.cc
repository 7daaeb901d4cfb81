#include "config/reference_page.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

struct PageConfig {
  std::string host = "localhost";
  std::uint16_t port = 0;
  std::string policy = "a";
  std::string password = "hunter2";
  std::map<std::string, std::string> mapping;
  bool old = false;

  static constexpr auto fields() {
    using C = PageConfig;
    return std::tuple{
        field("host", &C::host, "Where to connect.").example("a|b"),
        field("port", &C::port, "Port.").required().range(1, 65'535),
        field("policy", &C::policy, "Order.").choices({"a", "b"}).lenient(),
        field("password", &C::password, "Opens it.").secret(),
        field("mapping.", &C::mapping, "Channels by value."),
        field("old", &C::old, "Old.").ignored("nothing needs it"),
    };
  }
};

ReferencePage page() {
  return {"source", "netcat", "org.apache.flume.source.NetcatSource", "Reads lines.",
          describe<PageConfig>()};
}

TEST(ReferencePageTest, IsMarkdown) {
  EXPECT_EQ(
      to_markdown(page()),
      "# netcat source\n\n"
      "Type: `netcat` or `org.apache.flume.source.NetcatSource`.\n\n"
      "Reads lines.\n\n"
      "| Key | Type | Default | What it is |\n"
      "|---|---|---|---|\n"
      "| `host` | text | `localhost` | Where to connect. Example: `a\\|b`. |\n"
      "| `port` | whole number | **required** | Port. From 1 to 65535. |\n"
      "| `policy` | text | `a` | Order. One of `a`, `b`. A bad value is replaced by the default, "
      "with a warning. |\n"
      "| `password` | text |  | Opens it. A secret: never printed. |\n"
      "| `mapping.*` | texts by name |  | Channels by value. |\n"
      "| `old` | true or false | `false` | Old. Accepted without effect: nothing needs it. |\n");
}

TEST(ReferencePageTest, IsPlainTextForATerminal) {
  const std::string text = to_text(page());
  EXPECT_NE(text.find("  port (whole number, required)\n      Port. From 1 to 65535.\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("hunter2"), std::string::npos);
}

TEST(ReferencePageTest, AComponentMayHaveNoKeys) {
  EXPECT_EQ(to_markdown({"sink", "", "org.example.Sink", "", {}}),
            "# org.example.Sink sink\n\nType: `org.example.Sink`.\n\nIt has no keys of its own.\n");
}

}  // namespace
}  // namespace millrace
