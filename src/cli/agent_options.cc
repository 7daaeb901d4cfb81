#include "cli/agent_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <utility>

#include "cli/java_properties.h"
#include "cli/options.h"

namespace millrace {
namespace {

// What flume-ng takes with one dash although it has several letters.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOneDash{
    {{"-prov", "--conf-provider"}, {"-user", "--conf-user"}, {"-pwd", "--conf-password"}}};

// As flume-ng 1.11 declares them.
struct Flags {
  std::vector<std::string> uris;
  bool no_reload = false;
  std::optional<std::string> poll_interval;
  std::optional<std::string> zookeeper, zookeeper_base, provider;
  std::optional<std::string> user, password, auth_provider, backup;
  std::optional<std::string> conf, classpath, plugins;
  bool dry_run = false;
  double drain_seconds = 10;
  std::optional<std::string> http;
};

void describe(Options& options, AgentOptions& agent, Flags& flags) {
  options.text("-n,--name", agent.name, "Agent of the files to run.");
  options.list("-f,--conf-file", agent.files, "A .properties file; may be given several times.");
  options.list("-u,--conf-uri", flags.uris, "The same as a file: URI, in place of -f.");
  options.text("--http", flags.http, "ADDR:PORT for metrics and health; loopback if no ADDR.");
  options.number("--drain-time", flags.drain_seconds, 0, 86'400,
                 "Seconds that a stop gives to sources and sinks.");
  options.flag("--no-reload-conf", flags.no_reload, "Without effect: changes need a restart.");
  options.text("-i,--poll-interval", flags.poll_interval, "Likewise.");
  options.text("-c,--conf", flags.conf, "Without effect: there is no class path.");
  options.text("-C,--classpath", flags.classpath, "Likewise.");
  options.text("--plugins-path", flags.plugins, "Likewise.");
  options.text("-b,--backup-directory", flags.backup, "Without effect: no backup is written yet.");
  options.text("-z,--zkConnString", flags.zookeeper, "Not built in yet, as the next four.");
  options.text("-p,--zkBasePath", flags.zookeeper_base, "Flume's.");
  options.text("--conf-provider", flags.provider, "Flume's.");
  options.text("--conf-user", flags.user, "Flume's.");
  options.text("--conf-password", flags.password, "Flume's.");
  options.text("-a,--auth-provider", flags.auth_provider, "Flume's.");
  options.flag("-d,--dryrun", flags.dry_run, "Use `millrace check`.");
  options.footer(
      "Flags for a JVM are taken as well: -Dname=value, -Xmx512m (the memory for events in "
      "flight),\n"
      "-agentlib... and the like. -Dflume.monitoring.type=http or prometheus, with\n"
      "-Dflume.monitoring.port=41414, does what --http does. SIGTERM or SIGINT stops in good "
      "order.");
}

std::vector<std::string> with_two_dashes(std::vector<std::string> arguments) {
  for (std::string& argument : arguments) {
    for (const auto& [given, known] : kOneDash) {
      if (argument == given) {
        argument = known;
      }
    }
  }
  return arguments;
}

// What asks for something that is not there, by the name under which it was asked for.
std::string_view not_built_in(const Flags& flags) {
  if (flags.zookeeper || flags.zookeeper_base) {
    return "configuration from ZooKeeper (-z)";
  }
  if (flags.provider) {
    return "--conf-provider";
  }
  return flags.user || flags.password || flags.auth_provider ? "configuration with a password"
                                                             : std::string_view();
}

void note_what_has_no_effect(const Flags& flags, const JavaFlags& java, AgentOptions& agent) {
  const auto note = [&agent](const auto& given, std::string_view text) {
    if (given) {
      agent.notes.emplace_back(text);
    }
  };
  note(flags.poll_interval,
       "--poll-interval has no effect yet: changes of the files need a restart");
  note(flags.classpath, "--classpath has no effect: components are built in");
  note(flags.plugins, "--plugins-path has no effect: components are built in");
  note(flags.backup, "--backup-directory has no effect yet: no backup is written");
  for (const std::string& flag : java.ignored) {
    agent.notes.push_back(flag + " has no effect: there is no JVM");
  }
}

// file:/x, file:///x and file://localhost/x; else empty.
std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file:";
  if (!uri.starts_with(kScheme)) {
    return {};
  }
  uri.remove_prefix(kScheme.size());
  for (const std::string_view host : {"//localhost/", "///"}) {
    if (uri.starts_with(host)) {
      uri.remove_prefix(host.size() - 1);
      break;
    }
  }
  return std::string(uri);
}

// As Flume: with -u there is no -f.
Result<> use_uris(const std::vector<std::string>& uris, AgentOptions& agent) {
  if (uris.empty()) {
    return {};
  }
  if (!agent.files.empty()) {
    agent.notes.emplace_back("--conf-file is not read beside --conf-uri, as in Flume");
  }
  agent.files.clear();
  for (const std::string& uri : uris) {
    const std::string path = path_of_uri(uri);
    if (path.empty()) {
      return transient(uri + ": only file: is built in yet");
    }
    agent.files.push_back(path);
  }
  return {};
}

Result<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return bad_config(fmt::format("\"{}\" is no port", text));
  }
  return port;
}

// -Dflume.monitoring.*; what is not built in becomes a note.
Result<> use_flume_monitoring(const JavaFlags& java, AgentOptions& agent) {
  const std::string* type = java.find("flume.monitoring.type");
  if (type == nullptr) {
    return {};
  }
  if (*type != "http" && *type != "prometheus") {
    agent.notes.push_back("flume.monitoring.type=" + *type + " is not built in yet");
    return {};
  }
  MonitoringSettings monitoring{"", 41414, *type == "http"};  // All addresses, as Flume.
  if (const std::string* port = java.find("flume.monitoring.port")) {
    monitoring.port = TRY(parse_port(*port).with("-Dflume.monitoring.port"));
  }
  agent.monitoring = monitoring;
  return {};
}

Result<> finish(const Flags& flags, const JavaFlags& java, AgentOptions& agent) {
  TRY(use_uris(flags.uris, agent));
  TRY(use_flume_monitoring(java, agent));
  if (flags.http) {
    const bool flume_json = agent.monitoring && agent.monitoring->flume_json;
    agent.monitoring = TRY(parse_http_address(*flags.http).with("--http"));
    agent.monitoring->flume_json = flume_json;
  }
  agent.drain = std::chrono::milliseconds(static_cast<std::int64_t>(flags.drain_seconds * 1000));
  const RootLogger logger = root_logger(java);
  agent.log_level = logger.level;
  if (!logger.note.empty()) {
    agent.notes.push_back(logger.note);
  }
  note_what_has_no_effect(flags, java, agent);
  return {};
}

}  // namespace

Result<MonitoringSettings> parse_http_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  MonitoringSettings monitoring;
  std::string host = colon == std::string::npos ? "" : text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string::npos) {
    return bad_config("an IPv6 address goes into brackets: [::1]:8080");
  }
  monitoring.host = host.empty() ? "127.0.0.1" : host;
  monitoring.port =
      TRY(parse_port(std::string_view(text).substr(colon == std::string::npos ? 0 : colon + 1)));
  return monitoring;
}

std::optional<AgentOptions> parse_agent_options(const CommandLine& line, int& status) {
  AgentOptions agent;
  Flags flags;
  Options options("agent", "Runs an agent of a Flume configuration.");
  describe(options, agent, flags);
  CommandLine ours = line;
  ours.arguments = with_two_dashes(line.arguments);
  if (const auto ended = options.parse(ours)) {
    status = *ended;
    return std::nullopt;
  }
  const auto refuse = [&](const std::string& message) {
    status = options.refuse(message);
    return std::nullopt;
  };
  if (flags.dry_run) {
    return refuse("--dryrun: use `millrace check`");
  }
  if (const std::string_view missing = not_built_in(flags); !missing.empty()) {
    fmt::print(stderr, "millrace agent: {} is not built in yet\n", missing);
    status = kFailedAtWork;
    return std::nullopt;
  }
  if (agent.name.empty()) {
    return refuse("--name is required");
  }
  if (agent.files.empty() && flags.uris.empty()) {
    return refuse("no configuration was given (--conf-file)");
  }
  const Result<> finished = finish(flags, line.java, agent);
  if (!finished.ok() && finished.error().fault() == Fault::kConfig) {
    return refuse(finished.error().message());
  }
  if (!finished.ok()) {
    fmt::print(stderr, "millrace agent: {}\n", finished.error().message());
    status = kFailedAtWork;
    return std::nullopt;
  }
  return agent;
}

}  // namespace millrace
