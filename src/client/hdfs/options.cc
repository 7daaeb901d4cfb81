#include "client/hdfs/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>
#include <variant>

namespace millrace::hdfs {
namespace {

using std::chrono::milliseconds;

// Where a value goes; its type says how it is read.
using Place = std::variant<std::uint32_t*, std::uint64_t*, milliseconds*, bool*, std::string*,
                           ChecksumType*, ReplacementPolicy::When*>;

struct ReadKey {
  OptionKey key;
  Place (*place)(Options&);
};

constexpr std::uint32_t kMostChunk = 1024 * 1024;

// The one list of what is read.
const ReadKey kKeys[] = {
    {{"fs.defaultFS", "fs.default.name", "File system of a URL that names none, as hdfs:///a."},
     [](Options& o) -> Place { return &o.default_file_system; }},
    {{"dfs.replication", "", "Replicas of a new file (3)."},
     [](Options& o) -> Place { return &o.replication; }},
    {{"dfs.blocksize", "dfs.block.size", "Bytes of a block of a new file (128m)."},
     [](Options& o) -> Place { return &o.block_size; }},
    {{"dfs.bytes-per-checksum", "io.bytes.per.checksum", "Bytes that share a checksum (512)."},
     [](Options& o) -> Place { return &o.streams.checksums.bytes_per_chunk; }},
    {{"dfs.checksum.type", "", "NULL, CRC32 or CRC32C (CRC32C)."},
     [](Options& o) -> Place { return &o.streams.checksums.type; }},
    {{"dfs.client-write-packet-size", "dfs.write.packet.size", "Bytes of a packet (65536)."},
     [](Options& o) -> Place { return &o.streams.packet_bytes; }},
    {{"dfs.client.write.max-packets-in-flight", "", "Packets without an answer (80)."},
     [](Options& o) -> Place { return &o.streams.window_packets; }},
    {{"dfs.client.socket-timeout", "dfs.socket.timeout",
      "How long a DataNode may be silent (60s)."},
     [](Options& o) -> Place { return &o.streams.socket_timeout; }},
    {{"dfs.client.datanode-restart.timeout", "", "How long a DataNode may restart (30s)."},
     [](Options& o) -> Place { return &o.streams.restart_timeout; }},
    {{"dfs.client.block.write.retries", "", "New blocks tried where one cannot be set up (3)."},
     [](Options& o) -> Place { return &o.streams.block_retries; }},
    {{"dfs.client.write.exclude.nodes.cache.expiry.interval.millis", "",
      "How long no new block is put on a DataNode that failed (10m)."},
     [](Options& o) -> Place { return &o.streams.exclude_for; }},
    {{"dfs.client.block.write.locateFollowingBlock.retries", "",
      "Times that the next block, or the end of the file, is asked for again (5)."},
     [](Options& o) -> Place { return &o.streams.locate_retries; }},
    {{"dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "",
      "First pause between these; it doubles (400)."},
     [](Options& o) -> Place { return &o.streams.locate_delay; }},
    {{"dfs.client.use.datanode.hostname", "", "Connect to DataNodes by name (false)."},
     [](Options& o) -> Place { return &o.streams.use_host_names; }},
    {{"dfs.encrypt.data.transfer", "", "Refused while it is true (false)."},
     [](Options& o) -> Place { return &o.streams.encrypted; }},
    {{"dfs.client.block.write.replace-datanode-on-failure.enable", "",
      "Take in a DataNode for one that fails (true)."},
     [](Options& o) -> Place { return &o.streams.replacement.enabled; }},
    {{"dfs.client.block.write.replace-datanode-on-failure.policy", "",
      "DEFAULT, ALWAYS or NEVER (DEFAULT)."},
     [](Options& o) -> Place { return &o.streams.replacement.when; }},
    {{"dfs.client.block.write.replace-datanode-on-failure.best-effort", "",
      "Go on with fewer when none can be had (false)."},
     [](Options& o) -> Place { return &o.streams.replacement.best_effort; }},
    {{"dfs.client.block.write.replace-datanode-on-failure.min-replication", "",
      "The same with so many left; 0: no number will do (0)."},
     [](Options& o) -> Place { return &o.streams.replacement.min_replication; }},
    {{"ipc.client.connect.timeout", "", "How long connecting to the NameNode may take (20s)."},
     [](Options& o) -> Place { return &o.rpc.connect_timeout; }},
    {{"ipc.client.connect.max.retries", "", "Tries to reach the NameNode after the first (10)."},
     [](Options& o) -> Place { return &o.rpc.connect_retries; }},
    {{"ipc.client.connect.retry.interval", "", "Pause between them (1s)."},
     [](Options& o) -> Place { return &o.rpc.retry_interval; }},
    {{"ipc.client.rpc-timeout.ms", "", "A call with all of its tries (120s); 0: no end."},
     [](Options& o) -> Place { return &o.rpc.call_timeout; }},
    {{"ipc.client.ping", "", "Ping a NameNode that does not answer (true)."},
     [](Options& o) -> Place { return &o.pings; }},
    {{"ipc.ping.interval", "", "How often (60s)."},
     [](Options& o) -> Place { return &o.rpc.ping_interval; }},
    {{"ipc.maximum.response.length", "", "Most bytes of an answer (128m)."},
     [](Options& o) -> Place { return &o.rpc.most_answer_bytes; }},
};

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// Splits "30s" into 30 and "S"; nothing for what begins with no number.
std::optional<std::pair<std::uint64_t, std::string>> number_and_unit(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  return std::pair(number, upper(std::string(end, text.data() + text.size())));
}

template <std::size_t N>
std::optional<std::uint64_t> scaled(
    const std::string& text, std::uint64_t most,
    const std::array<std::pair<std::string_view, std::uint64_t>, N>& units) {
  const auto parts = number_and_unit(text);
  if (!parts) {
    return std::nullopt;
  }
  for (const auto& [unit, factor] : units) {
    if (unit == parts->second) {
      return parts->first <= most / factor ? std::optional(parts->first * factor) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> size_of(const std::string& text, std::uint64_t most) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 6> kUnits{{{"", 1},
                                                                              {"K", 1ULL << 10},
                                                                              {"M", 1ULL << 20},
                                                                              {"G", 1ULL << 30},
                                                                              {"T", 1ULL << 40},
                                                                              {"P", 1ULL << 50}}};
  return scaled(text, most, kUnits);
}

bool set(std::uint32_t& place, const std::string& text) {
  const auto value = size_of(text, UINT32_MAX);
  place = static_cast<std::uint32_t>(value.value_or(0));
  return value.has_value();
}

bool set(std::uint64_t& place, const std::string& text) {
  const auto value = size_of(text, INT64_MAX);
  place = value.value_or(0);
  return value.has_value();
}

bool set(milliseconds& place, const std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 6> kUnits{
      {{"", 1}, {"MS", 1}, {"S", 1'000}, {"M", 60'000}, {"H", 3'600'000}, {"D", 86'400'000}}};
  constexpr std::uint64_t kMost = 365ULL * 86'400'000;
  const auto value = scaled(text, kMost, kUnits);
  place = milliseconds(value.value_or(0));
  return value.has_value();
}

bool set(bool& place, const std::string& text) {
  place = upper(text) == "TRUE";
  return place || upper(text) == "FALSE";
}

bool set(std::string& place, const std::string& text) {
  place = text;
  return true;
}

// A word of a list, by its place there.
template <class Word, std::size_t N>
bool set_word(Word& place, const std::string& text, const std::array<std::string_view, N>& words) {
  const auto found = std::find(words.begin(), words.end(), upper(text));
  place = static_cast<Word>(found - words.begin());
  return found != words.end();
}

bool set(ChecksumType& place, const std::string& text) {
  return set_word(place, text, std::array<std::string_view, 3>{"NULL", "CRC32", "CRC32C"});
}

bool set(ReplacementPolicy::When& place, const std::string& text) {
  return set_word(place, text, std::array<std::string_view, 3>{"DEFAULT", "ALWAYS", "NEVER"});
}

Result<std::optional<std::string>> value_of(const Configuration& configuration,
                                            const OptionKey& key) {
  auto value = TRY(configuration.get(std::string(key.name)));
  if (!value && !key.old_name.empty()) {
    value = TRY(configuration.get(std::string(key.old_name)));
  }
  return value;
}

Result<> check(const Options& options, const Configuration& configuration) {
  const auto security = TRY(configuration.get("hadoop.security.authentication"));
  if (security && upper(*security) != "SIMPLE") {
    return bad_config(fmt::format(
        "hadoop.security.authentication = {}: secure clusters are not supported yet", *security));
  }
  const std::uint32_t chunk = options.streams.checksums.bytes_per_chunk;
  if (chunk == 0 || chunk > kMostChunk || options.streams.packet_bytes == 0 ||
      options.streams.window_packets == 0 || options.block_size % chunk != 0) {
    return bad_config(
        fmt::format("dfs.blocksize = {} must be a multiple of dfs.bytes-per-checksum = {}, and "
                    "packets not empty",
                    options.block_size, chunk));
  }
  return {};
}

}  // namespace

std::vector<OptionKey> option_keys() {
  std::vector<OptionKey> keys;
  for (const ReadKey& read : kKeys) {
    keys.push_back(read.key);
  }
  return keys;
}

Result<Options> read_options(const Configuration& configuration) {
  Options options;
  for (const ReadKey& read : kKeys) {
    const auto value = TRY(value_of(configuration, read.key));
    if (value &&
        !std::visit([&](auto* place) { return set(*place, *value); }, read.place(options))) {
      return bad_config(
          fmt::format("{} = {}: not a value for it. {}", read.key.name, *value, read.key.help));
    }
  }
  if (!options.pings) {
    options.rpc.ping_interval = milliseconds(0);
  }
  TRY(check(options, configuration));
  return options;
}

}  // namespace millrace::hdfs
