// What each released version of the format wrote stays readable, and what is written today has the
// layout of the version it names. tests/golden/file-channel/README.md says what is in the folders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <future>
#include <iterator>
#include <map>

#include "channel/file/checkpoint_file.h"
#include "channel/file/file_channel.h"
#include "channel/file/identity.h"
#include "channel/file/sealing.h"
#include "core/testing_services.h"

namespace millrace::file_channel {
namespace {

namespace fs = std::filesystem;
using testing_kit::TestEvent;
using Folder = std::map<std::string, std::string>;  // Bytes by their file's path.

constexpr const char* kFiles[] = {"/data-a/channel.meta", "/data-a/segment-000001.wal",
                                  "/data-a/segment-000002.wal", "/data-b/channel.meta",
                                  "/checkpoint/channel.checkpoint"};

const std::string kKey = "the key of tests/golden 32 bytes";
const std::map<int, std::string> kChannelIds{{1, "a862b3406c8ef0211035b358292917c1"},
                                             {2, "9390413b6f9908386e73d8691b39af5e"}};
const testing_kit::HeaderList kShared{{"host", "web-1"}, {"timestamp", "1700000000000"}};
const std::vector<TestEvent> kFirstBatch{{"first", kShared}, {"second", kShared}, {"", kShared}};
const std::vector<TestEvent> kSecondBatch{{"caf\xC3\xA9", {}}, {std::string("\0\xFF\n", 3), {}}};
const std::vector<TestEvent> kThirdBatch{{std::string(5000, 'x'), {{"empty", ""}}}};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

std::string raw(const Id& id) {
  return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()};
}

// The parameter is the version.
class FileChannelGoldenTest : public testing::TestWithParam<int> {
 protected:
  FileChannelGoldenTest() { kit.files.put("/keys/golden", kKey); }

  static Folder golden() {
    Folder folder;
    for (const char* path : kFiles) {
      std::ifstream in(
          MILLRACE_SOURCE_DIR "/tests/golden/file-channel/" + std::to_string(GetParam()) + path,
          std::ios::binary);
      EXPECT_TRUE(in) << path;
      folder[path] = std::string(std::istreambuf_iterator<char>(in), {});
    }
    return folder;
  }

  void open() {
    channel.reset();
    FileChannelConfig config;
    config.data_dirs = "/data-a,/data-b";
    config.checkpoint_dir = "/checkpoint";
    config.max_file_size.value = 65536;
    if (GetParam() == 2) {
      config.key_provider = "FILE";
      config.keys = {"golden"};
      config.of_keys = {{"golden.file", "/keys/golden"}};
      config.active_key = "golden";
    }
    channel = std::make_unique<FileChannel>(
        config, ChannelContext{"golden", kit.services, metrics, std::size_t{1} << 26});
    const Result<> started = channel->start();
    ASSERT_TRUE(started.ok()) << started.error().message();
  }
  void put(const std::vector<TestEvent>& events) {
    auto answer = std::make_shared<std::promise<bool>>();
    PutDone done = [answer](const Result<>& result) { answer->set_value(result.ok()); };
    ASSERT_EQ(channel->put(kit.slabs.batch_of(events), done), PutStatus::kAccepted);
    ASSERT_TRUE(answer->get_future().get());
  }
  std::vector<TestEvent> drain() {
    std::vector<TestEvent> events;
    while (const auto lease = channel->take({1000, std::size_t{1} << 30}, {}, {})) {
      for (const EventRef& event : *lease->batch) {
        events.push_back({std::string(event.body()), testing_kit::headers_of(event)});
      }
      channel->commit({&*lease, 1}, {}, {});
    }
    return events;
  }

  // Else it may share a group with what comes next.
  void wait_for_acknowledgement(const char* path) {
    EXPECT_TRUE(testing_kit::eventually(
        [&] { return kit.files.text(path).find("MRA1") != std::string::npos; }));
  }
  // The calls that wrote the golden folder.
  Folder write_anew() {
    open();
    put(kFirstBatch);
    put(kSecondBatch);
    const auto lease = channel->take({2, std::size_t{1} << 20}, {}, {});
    channel->count_dropped(1);
    channel->commit({&*lease, 1}, {}, {});
    wait_for_acknowledgement("/data-a/segment-000001.wal");
    open();
    wait_for_acknowledgement("/data-a/segment-000002.wal");
    put(kThirdBatch);
    channel->stop();
    Folder folder;
    for (const char* path : kFiles) {
      std::string bytes = kit.files.text(path);
      if (path == std::string_view(kFiles[1]) || path == std::string_view(kFiles[2])) {
        bytes.resize(round_up(bytes.find_last_not_of('\0') + 1, kBlock));  // Not what is reserved.
      }
      folder[path] = bytes;
    }
    return folder;
  }

  // With a name in place of every random value, and zeros for checksums and times.
  static Folder masked(Folder folder) {
    if (GetParam() == 2) {
      in_clear_text(folder[kFiles[1]]);
      in_clear_text(folder[kFiles[2]]);
    }
    const DirMeta a = decode_meta(folder[kFiles[0]]).value();
    const DirMeta b = decode_meta(folder[kFiles[3]]).value();
    const std::pair<Id, const char*> ids[] = {{a.channel, "CHANNEL ID......"},
                                              {a.directory, "ID OF DIR A....."},
                                              {b.directory, "ID OF DIR B....."}};
    std::vector<std::string> generations;
    for (const char* path : {kFiles[1], kFiles[2]}) {
      generations.push_back(folder[path].substr(offsetof(SegmentHeader, generation), 8));
    }
    for (auto& [path, bytes] : folder) {
      mask_checksums(path, bytes);
      for (const auto& [id, name] : ids) {
        replace_all(bytes, raw(id), name);
        replace_all(bytes, id.to_string(), name);
      }
      replace_all(bytes, generations[0], "GENER. 1");
      replace_all(bytes, generations[1], "GENER. 2");
    }
    return folder;
  }
  // Opens the records of an encrypted segment, each behind zeros where its tags were, and masks
  // what is random in the header.
  static void in_clear_text(std::string& bytes) {
    SegmentHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const SealHeader seal = decode_seal_header(bytes).value();
    const SegmentKey key(SecretBytes(std::string_view(kKey)), seal);
    EXPECT_EQ(key.check_of(header), seal.check);
    RecordOpener opener(key);
    for (std::size_t at = kFirstRecord; at < bytes.size(); at += kRecordAlignment) {
      const auto record =
          decode_record_header(std::string_view(bytes).substr(at), {header.generation, &key});
      if (record) {
        const OpenedRecord opened =
            opener.open(std::span(bytes).subspan(at, record->length), *record, at);
        EXPECT_TRUE(opened.is_whole);
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                    record->length - opened.bytes.size(), '\0');
        at = round_up(at + record->length, kRecordAlignment) - kRecordAlignment;
      }
    }
    const std::size_t random = sizeof header + offsetof(SealHeader, salt);
    bytes.replace(random, sizeof seal - offsetof(SealHeader, salt),
                  sizeof seal - offsetof(SealHeader, salt), '\0');
    bytes.replace(sizeof header, sizeof seal.crc, sizeof seal.crc, '\0');
  }
  static void mask_checksums(const std::string& path, std::string& bytes) {
    if (path.ends_with(".meta")) {
      bytes.resize(bytes.rfind("crc32c "));
    } else if (path.ends_with(".checkpoint")) {
      bytes.resize(bytes.size() - sizeof(std::uint32_t));
    } else {
      bytes.replace(offsetof(SegmentHeader, crc), 4, 4, '\0');
      for (std::size_t at = kFirstRecord; at < bytes.size(); at += kRecordAlignment) {
        if (bytes.compare(at, 4, "MRP1") == 0 || bytes.compare(at, 4, "MRA1") == 0) {
          bytes.replace(at + offsetof(RecordHeader, crc), 4, 4, '\0');
          bytes.replace(at + offsetof(RecordHeader, time_ms), 8, 8, '\0');
        }
        if (bytes.compare(at, 4, "MRA1") ==
            0) {  // What it says of failed puts; older ones did not.
          bytes.replace(at + offsetof(RecordHeader, first), 8, 8, '\0');
        }
      }
    }
  }

  void expect_readable(const Folder& folder) {
    for (const auto& [path, bytes] : folder) {
      kit.files.put(path, bytes);
    }
    open();
    const ChannelCounts counts = channel->counts();
    EXPECT_EQ(counts.put, 6U);
    EXPECT_EQ(counts.acknowledged, 1U);
    EXPECT_EQ(counts.dropped, 1U);
    const std::vector<TestEvent> events = drain();
    const TestEvent expected[] = {kFirstBatch[2], kSecondBatch[0], kSecondBatch[1], kThirdBatch[0]};
    ASSERT_EQ(events.size(), std::size(expected));
    for (std::size_t i = 0; i < events.size(); ++i) {
      EXPECT_EQ(events[i].body, expected[i].body) << i;
      EXPECT_EQ(events[i].headers, expected[i].headers) << i;
    }
    channel->stop();
    const std::vector<std::filesystem::path> dirs{"/checkpoint"};
    auto checkpoints = read_checkpoints(kit.files, "golden", dirs);
    ASSERT_TRUE(checkpoints.ok() && !checkpoints->empty());
    EXPECT_EQ(checkpoints->front().channel.to_string(), kChannelIds.at(GetParam()));
  }

  testing_kit::TestServices kit;
  MetricGroup& metrics = kit.metrics.group("CHANNEL", "golden");
  std::unique_ptr<FileChannel> channel;
};

TEST_P(FileChannelGoldenTest, IsReadable) {
  expect_readable(golden());
}

TEST_P(FileChannelGoldenTest, IsReadableFromTheLogAlone) {
  Folder folder = golden();
  folder.erase(kFiles[4]);
  expect_readable(folder);
}

// Goal: a change of the bytes is made knowingly, with a new version and a new folder. Method: the
// calls that wrote the folder are made again, and what is random is given names on both sides.
TEST_P(FileChannelGoldenTest, IsTheLayoutThatIsWritten) {
  const Folder written = write_anew();
  if (const char* const out = std::getenv("MILLRACE_WRITE_GOLDEN")) {
    for (const auto& [path, bytes] : written) {
      fs::create_directories(fs::path(out + path).parent_path());
      std::ofstream(out + path, std::ios::binary) << bytes;
    }
  }
  const Folder expected = masked(golden());
  for (const auto& [path, bytes] : masked(written)) {
    const std::string& known = expected.at(path);
    const auto differ = std::mismatch(bytes.begin(), bytes.end(), known.begin(), known.end());
    EXPECT_TRUE(bytes == known) << path << " differs at byte " << differ.first - bytes.begin();
  }
}

// Files without a forgotten dir are those of the versions' folders.
TEST(ChannelMetaGoldenTest, OfADirWhoseSisterIsForgottenIsReadAndWritten) {
  std::ifstream in(MILLRACE_SOURCE_DIR "/tests/golden/file-channel/1-forgotten/channel.meta");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const Result<DirMeta> meta = decode_meta(text);
  ASSERT_TRUE(meta.ok()) << meta.error().message();
  EXPECT_EQ(meta.value().sister_paths, (std::vector<std::string>{"/data-a", "/data b"}));
  EXPECT_EQ(meta.value().forgotten.size(), 2U);
  EXPECT_EQ(meta.value().forgotten.back().to_string(), "00112233445566778899aabbccddeeff");
  EXPECT_EQ(encode_meta(meta.value()), text);
}

INSTANTIATE_TEST_SUITE_P(Version, FileChannelGoldenTest, testing::Values(1, 2),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace millrace::file_channel
