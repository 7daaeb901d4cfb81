// What every sink is told about the events that it cannot deliver. A channel may have these keys
// too: they stand for all its sinks that have none of their own.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "config/fields.h"

namespace millrace {

struct RejectionConfig {
  std::string on_rejected = "hold";
  std::filesystem::path directory;
  std::string channel;
  std::chrono::seconds roll_interval{3600};
  ByteCount roll_size{std::uint64_t{64} << 20};

  static constexpr auto fields() {
    using C = RejectionConfig;
    return std::tuple{
        field(
            "on-rejected", &C::on_rejected,
            "What becomes of an event that the sink cannot deliver and no dead letter takes: hold "
            "keeps it in the channel and tries it again, drop counts and drops it.")
            .choices({"hold", "drop"}),
        field("dead-letter.directory", &C::directory,
              "Folder for events that the sink cannot deliver, as Avro files; made when it is not "
              "there.")
            .example("/var/lib/millrace/dead-letters"),
        field(
            "dead-letter.channel", &C::channel,
            "Channel of the agent for events that the sink cannot deliver, in place of a folder."),
        field("dead-letter.roll-interval", &C::roll_interval,
              "Seconds after which a file of dead letters is replaced; 0: never.")
            .range(0, 2'147'483'647),
        field("dead-letter.roll-size", &C::roll_size,
              "Bytes at which a file of dead letters is replaced; 0: never.")
            .range(0, std::int64_t{1} << 50),
    };
  }
  void check(ConfigCheck& check) const;

  bool drops() const { return on_rejected == "drop"; }
  bool has_dead_letter() const { return !directory.empty() || !channel.empty(); }
  // "directory /var/dead", "channel c2"; empty without a dead letter.
  std::string target() const;

  // The keys of this kind among a sink's, and the channel's where the sink has none: on-rejected by
  // itself, those of the dead letter all together.
  static PropertySection keys_of(const PropertySection& sink, const PropertySection& channel);
};

}  // namespace millrace
