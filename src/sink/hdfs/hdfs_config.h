// The keys of the hdfs sink (Flume 1.11, org.apache.flume.sink.hdfs.HDFSEventSink).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "client/dfs/file_system.h"
#include "config/fields.h"
#include "sink/event_time.h"

namespace millrace {

struct HdfsSinkConfig {
  std::string path;
  std::string file_prefix = "FlumeData";
  std::string file_suffix;
  std::string in_use_prefix;
  std::string in_use_suffix = ".tmp";
  bool empty_in_use_suffix = false;
  std::chrono::seconds roll_interval{30};
  ByteCount roll_size{1024};
  std::uint64_t roll_count = 10;
  std::chrono::seconds idle_timeout{0};
  std::uint32_t batch_size = 100;
  std::string file_type = "SequenceFile";
  std::string codec;
  std::string write_format = "Writable";
  PropertySection write_format_keys;
  std::string serializer = "TEXT";
  PropertySection serializer_keys;
  std::uint32_t max_open_files = 5000;
  std::optional<std::uint32_t> min_block_replicas;
  std::chrono::milliseconds call_timeout{30'000};
  std::chrono::seconds retry_interval{180};
  std::int32_t close_tries = 0;
  bool round = false;
  std::string round_unit = "second";
  std::int32_t round_value = 1;
  std::string time_zone;
  bool use_local_time_stamp = false;
  std::string kerberos_principal;
  std::string kerberos_keytab;
  std::string proxy_user;
  std::uint32_t txn_event_max = 100;
  std::uint32_t threads_pool_size = 10;
  std::uint32_t roll_timer_pool_size = 1;
  bool use_raw_local_file_system = false;
  std::string sync = "hsync";
  std::string delivery = "at-least-once";
  std::filesystem::path state_dir;

  static constexpr auto file_fields() {
    using C = HdfsSinkConfig;
    return std::tuple{
        field("hdfs.path", &C::path,
              "URL of the folder: hdfs://HOST:PORT/PATH, or file:///PATH; with escapes, as "
              "%{header} and %Y-%m-%d.")
            .required()
            .example("hdfs://nn1:8020/flows/%{app}/%Y-%m-%d"),
        field("hdfs.filePrefix", &C::file_prefix, "What each name begins with; with escapes."),
        field("hdfs.fileSuffix", &C::file_suffix,
              "What each name ends with, dot included; empty: as the codec says.")
            .example(".log"),
        field("hdfs.inUsePrefix", &C::in_use_prefix, "Before the name of a file being written."),
        field("hdfs.inUseSuffix", &C::in_use_suffix, "Behind the name of a file being written."),
        field("hdfs.emptyInUseSuffix", &C::empty_in_use_suffix,
              "No hdfs.inUseSuffix, whatever that says."),
        field("hdfs.rollInterval", &C::roll_interval,
              "Seconds that a file is open; 0: as long as may be.")
            .range(0, 2'147'483'647LL),
        field("hdfs.rollSize", &C::roll_size, "Bytes of bodies that end a file; 0: never.")
            .range(0, 9'223'372'036'854'775'807LL),
        field("hdfs.rollCount", &C::roll_count, "Events that end a file; 0: never.")
            .range(0, 9'223'372'036'854'775'807LL),
        field("hdfs.idleTimeout", &C::idle_timeout,
              "Seconds without an event that end a file; 0: never.")
            .range(0, 2'147'483'647LL),
        field("hdfs.batchSize", &C::batch_size, "Most events in one take.").range(1, 1'000'000),
        field("hdfs.fileType", &C::file_type, "Kind of the files.")
            .choices({"SequenceFile", "DataStream", "CompressedStream"}),
        field("hdfs.codeC", &C::codec,
              "Codec of SequenceFile and CompressedStream: gzip, bzip2, lz4, snappy, zstandard, "
              "deflate, default, none.")
            .example("snappy"),
        field("hdfs.writeFormat", &C::write_format,
              "Values of a SequenceFile: Writable (BytesWritable) or Text; Hive reads Text."),
        field("hdfs.writeFormat.", &C::write_format_keys, "Keys of the write format."),
        field("serializer", &C::serializer,
              "Format of DataStream and CompressedStream: TEXT, HEADER_AND_TEXT or AVRO_EVENT.")
            .example("AVRO_EVENT"),
        field("serializer.", &C::serializer_keys, "Keys of the serializer."),
        field("hdfs.round", &C::round, "Round the event's time down for the escapes, %t excepted."),
        field("hdfs.roundUnit", &C::round_unit,
              "second, minute or hour; another turns rounding off."),
        field("hdfs.roundValue", &C::round_value, "To a multiple of so many units.").range(1, 60),
        field("hdfs.timeZone", &C::time_zone,
              "Time zone of the escapes, as Europe/Berlin or GMT+1; empty: the agent's."),
        field("hdfs.useLocalTimeStamp", &C::use_local_time_stamp,
              "The time of delivery in place of the header timestamp."),
    };
  }
  static constexpr auto other_fields() {
    using C = HdfsSinkConfig;
    return std::tuple{
        field("hdfs.sync", &C::sync,
              "What is done before the channel forgets events: hsync, they are on the disks of "
              "the DataNodes; hflush, in their memory, as Flume does it.")
            .choices({"hsync", "hflush"}),
        field("hdfs.delivery", &C::delivery,
              "exactly-once: a file gets its name when it is ended, and holds each event once; "
              "takes a file channel.")
            .choices({"at-least-once", "exactly-once"}),
        field("hdfs.stateDir", &C::state_dir,
              "Folder of this machine for the list of open files; empty: ~/.flume/hdfs-sink."),
        field("hdfs.maxOpenFiles", &C::max_open_files,
              "Most files open; the one that is unused the longest is ended.")
            .range(1, 1'000'000),
        field("hdfs.minBlockReplicas", &C::min_block_replicas,
              "Live replicas of the open block below which a file is ended, 30 times in a row at "
              "most; empty: as many as the file was to have.")
            .range(0, 512),
        field("hdfs.callTimeout", &C::call_timeout,
              "Milliseconds that one call may take; 0 or less: as long as it takes.")
            .range(-2'147'483'648LL, 2'147'483'647LL),
        field("hdfs.retryInterval", &C::retry_interval,
              "Most seconds between two tries to close or rename a file; 0 or less: one try.")
            .range(-2'147'483'648LL, 2'147'483'647LL),
        field("hdfs.closeTries", &C::close_tries,
              "Most tries to close or rename a file before the next start; 0 or less: no end."),
        field("hdfs.txnEventMax", &C::txn_event_max, "Most events in one take.")
            .ignored("hdfs.batchSize says it"),
        field("hdfs.threadsPoolSize", &C::threads_pool_size, "Threads for calls.")
            .ignored("one thread has all files flushed at once"),
        field("hdfs.rollTimerPoolSize", &C::roll_timer_pool_size, "Threads for timers.")
            .ignored("the sink's thread looks at the clock"),
        field("hdfs.useRawLocalFileSystem", &C::use_raw_local_file_system,
              "Write file:// without .crc files.")
            .ignored("no .crc files are written"),
        field("hdfs.kerberosPrincipal", &C::kerberos_principal, "Not supported yet."),
        field("hdfs.kerberosKeytab", &C::kerberos_keytab, "Not supported yet."),
        field("hdfs.proxyUser", &C::proxy_user, "Not supported yet."),
    };
  }
  static constexpr auto fields() { return std::tuple_cat(file_fields(), other_fields()); }
  void check(ConfigCheck& check) const;
  std::size_t events_per_transaction() const { return batch_size; }
  bool exactly_once() const { return delivery == "exactly-once"; }

  // What follows from the keys, after check() found no fault.
  std::string in_use_end() const { return empty_in_use_suffix ? "" : in_use_suffix; }
  dfs::Durability durability() const {
    return sync == "hflush" ? dfs::Durability::kHflush : dfs::Durability::kHsync;
  }
  EventTimeRules time_rules() const;
  std::chrono::milliseconds longest_call() const;
  std::uint32_t most_tries() const;  // 0: no end.
  // The list of the open files of sink `name`.
  std::filesystem::path ledger_path(const std::string& name) const;
};

}  // namespace millrace
