// Runs the engine on a file system that loses power, fills up and fails: numbered events through a
// file channel into files, over several lives of one agent. Every event that was acknowledged must
// be in the files at the end.
//
//   engine_simulation [--runs N] [--seed S]
//
// Each run has its own seed, printed when it fails: --runs 1 --seed THAT repeats its faults.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "base/check.h"
#include "base/log.h"
#include "core/channel_processor.h"
#include "core/registry.h"
#include "core/sink_runner.h"
#include "core/task_queue.h"
#include "io/event_loop.h"
#include "io/fake_file_system.h"
#include "serializer/avro_events.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Operation = FakeFileSystem::Operation;

// "n=0000001234;" : a torn tail of it is no event.
constexpr std::size_t kDigits = 10;
std::string body_of(std::uint64_t number, std::size_t padding) {
  std::string digits = std::to_string(number);
  return "n=" + std::string(kDigits - digits.size(), '0') + digits + ";" +
         std::string(padding, 'x');
}
std::optional<std::uint64_t> number_of(std::string_view body) {
  if (body.size() < kDigits + 3 || !body.starts_with("n=") || body[kDigits + 2] != ';') {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  std::from_chars(body.data() + 2, body.data() + 2 + kDigits, number);
  return number;
}

class EverythingSelector final : public Selector {
 public:
  Routing route(const BatchPtr& batch) override { return {{{0, batch, true}}, 0}; }
};

class Run {
 public:
  explicit Run(std::uint64_t seed) : random_(seed), files_(seed) {
    tasks_.adopt();
    const char* serializers[] = {"TEXT", "AVRO_EVENT", "AVRO_EVENT"};
    const char* codecs[] = {"null", "deflate", "snappy"};
    const std::size_t kind = draw(3);
    text_ = kind == 0;
    sink_keys_ = {{"sink.directory", "/out"},
                  {"sink.rollInterval", draw(2) == 0 ? "0" : "1"},
                  {"sink.batchSize", "100"},
                  {"sink.serializer", serializers[kind]}};
    if (!text_) {
      sink_keys_.set({"sink.serializer.compressionCodec", codecs[draw(3)], {}, 0, {}});
    }
    channel_keys_ = {{"checkpointDir", "/checkpoint"},
                     {"dataDirs", draw(2) == 0 ? "/data1" : "/data1,/data2"},
                     {"capacity", draw(2) == 0 ? "500" : "100000"},
                     {"transactionCapacity", "100"},
                     {"checkpointInterval", "1000"},
                     {"maxFileSize", draw(2) == 0 ? "65536" : "1048576"},
                     {"minimumRequiredSpace", "1048576"}};
  }

  // What is wrong, or nothing.
  std::string go() {
    static_cast<void>(files_.create_directories("/out"));
    const std::size_t lives = 2 + draw(4);
    for (std::size_t life = 0; life < lives; ++life) {
      live(false);
    }
    live(true);
    return verdict();
  }
  std::size_t acknowledged() const { return acknowledged_.size(); }
  std::size_t repeats() const { return repeats_; }

 private:
  std::size_t draw(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }

  std::shared_ptr<Channel> make_channel() {
    Diagnostics diagnostics;
    auto prepared = ChannelRegistry::instance().find("file")->prepare(channel_keys_, diagnostics,
                                                                      common_channel_keys());
    CHECK(prepared.has_value());
    const std::size_t share = draw(2) == 0 ? 32 * 1024 : std::size_t{8} << 20;
    return prepared->make({"c1", services_, metrics_.group("CHANNEL", "c1"), share});
  }
  std::unique_ptr<Sink> make_sink() {
    Diagnostics diagnostics;
    auto prepared = SinkRegistry::instance()
                        .find("file_roll")
                        ->prepare(sink_keys_, diagnostics, common_sink_keys());
    CHECK(prepared.has_value());
    return prepared->make({"k1", services_, metrics_.group("SINK", "k1"), true});
  }

  // One life of the agent; the last one without faults, until the channel is empty.
  void live(bool last) {
    files_.heal();
    files_.set_room(UINT64_MAX);
    const std::shared_ptr<Channel> channel = make_channel();
    if (!last && draw(4) == 0) {
      break_something();
    }
    if (!channel->start().ok()) {
      if (last) {
        trouble_ =
            "the channel does not start: " + channel->health().with("health").error().message();
      }
      channel->stop();
      return;
    }
    SinkRunner runner("k1", channel, make_sink(), metrics_.group("SINK", "k1"), clock_,
                      {OnRejected::kHold, 2ms});
    runner.start();
    {
      std::vector<std::shared_ptr<Channel>> channels{channel};
      ChannelProcessor processor("r1", channels, std::make_unique<EverythingSelector>(), {},
                                 {clock_, metrics_.group("SOURCE", "r1"), slabs_});
      processor.attach(tasks_, WhenRefused::kAnswer);
      send(processor, last);
      if (!last && draw(2) == 0) {
        files_.cut_power();
      }
      if (last) {
        const SteadyTime until = clock_.steady() + 20s;
        while (channel->counts().in_channel + channel->counts().held > 0 &&
               clock_.steady() < until) {
          std::this_thread::sleep_for(1ms);
        }
      }
      runner.stop(clock_.steady() + (last ? 20s : 10ms));
      channel->stop();
      tasks_.run_until([&] { return processor.unanswered() == 0; }, clock_.steady() + 1s, {});
      processor.give_up();
    }
    check_conservation(*channel);
    files_.crash();
  }

  void send(ChannelProcessor& processor, bool last) {
    const std::size_t batches = 5 + draw(60);
    const std::size_t cut_at = draw(4) == 0 ? draw(batches) : batches;
    for (std::size_t i = 0; i < batches; ++i) {
      if (!last && draw(12) == 0) {
        break_something();
      }
      if (!last && draw(12) == 0) {
        files_.heal();
        files_.set_room(UINT64_MAX);
      }
      if (!last && i == cut_at) {
        files_.cut_power();
      }
      put_batch(processor);
      tasks_.run_until([&] { return processor.ready(); }, clock_.steady() + 50ms, {});
    }
    if (last) {
      tasks_.run_until([&] { return processor.unanswered() == 0; }, clock_.steady() + 20s, {});
    }
  }

  void put_batch(ChannelProcessor& processor) {
    EventBatch::Builder builder(space_);
    const std::size_t count = 1 + draw(draw(4) == 0 ? 300 : 20);
    const std::uint64_t first = next_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string body = body_of(next_++, draw(400));
      const std::string_view stored = builder.store_body(body);
      CHECK(stored.data() != nullptr);
      builder.add(stored);
    }
    processor.put(builder, [this, first, count](Result<> result) {
      for (std::uint64_t n = first; result.ok() && n < first + count; ++n) {
        acknowledged_.insert(n);
      }
    });
  }

  void break_something() {
    constexpr Operation kBreakable[] = {
        Operation::kWrite,         Operation::kSync, Operation::kAllocate, Operation::kRename,
        Operation::kSyncDirectory, Operation::kOpen, Operation::kRead,     Operation::kTruncate};
    if (draw(4) == 0) {
      files_.set_room(draw(4) * 500'000);
      return;
    }
    files_.fail(kBreakable[draw(std::size(kBreakable))], draw(2) == 0 ? EIO : ENOSPC, draw(20),
                1 + draw(3));
  }

  void check_conservation(const Channel& channel) {
    const ChannelCounts c = channel.counts();
    if (c.put != c.acknowledged + c.dropped + c.held + c.in_channel) {
      trouble_ = "conservation: put=" + std::to_string(c.put) +
                 " acknowledged=" + std::to_string(c.acknowledged) +
                 " dropped=" + std::to_string(c.dropped) + " held=" + std::to_string(c.held) +
                 " in channel=" + std::to_string(c.in_channel);
    }
  }

  std::string verdict() {
    if (!trouble_.empty()) {
      return trouble_;
    }
    std::map<std::uint64_t, std::size_t> seen;
    const Result<std::vector<std::string>> names = files_.list("/out");
    for (const std::string& name : names.value()) {
      text_ ? read_text("/out/" + name, seen) : read_avro("/out/" + name, seen);
    }
    std::size_t lost = 0;
    std::uint64_t first_lost = 0;
    for (const std::uint64_t number : acknowledged_) {
      if (!seen.contains(number)) {
        first_lost = lost++ == 0 ? number : first_lost;
      }
    }
    for (const auto& [number, times] : seen) {
      repeats_ += times - 1;
    }
    return lost == 0 ? ""
                     : std::to_string(lost) + " acknowledged events lost, the first " +
                           std::to_string(first_lost);
  }

  void read_text(const std::string& path, std::map<std::uint64_t, std::size_t>& seen) {
    const std::string text = files_.text(path);
    std::string_view rest = text;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      if (const auto number = number_of(rest.substr(0, end))) {
        ++seen[*number];
      }
      rest.remove_prefix(end + 1);
    }
  }
  void read_avro(const std::string& path, std::map<std::uint64_t, std::size_t>& seen) {
    Result<AvroContainerReader> reader = AvroContainerReader::open(files_, path);
    while (reader.ok()) {
      const Result<std::optional<AvroBlock>> block = reader->next_block();
      if (!block.ok() || !*block) {
        return;
      }
      AvroEvents events(**block);
      AvroEvent event;
      for (Result<bool> more = events.next(event); more.ok() && *more; more = events.next(event)) {
        if (const auto number = number_of(event.body)) {
          ++seen[*number];
        }
      }
    }
  }

  std::mt19937_64 random_;
  SystemClock clock_;
  FakeFileSystem files_;
  ByteBudget budget_{std::size_t{256} << 20};
  SlabPool slabs_{budget_};
  BatchSpace space_{slabs_};
  MetricsRegistry metrics_;
  EventLoop loop_{"simulation"};
  Services services_{clock_, files_, slabs_, metrics_, loop_};
  TaskQueue tasks_;
  PropertySection sink_keys_;
  PropertySection channel_keys_;
  bool text_ = false;
  std::uint64_t next_ = 0;
  std::set<std::uint64_t> acknowledged_;
  std::size_t repeats_ = 0;
  std::string trouble_;
};

int simulate(std::uint64_t runs, std::uint64_t seed) {
  std::printf("engine_simulation: %llu runs from seed %llu\n",
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed));
  set_log_level(LogLevel::kError);
  std::size_t acknowledged = 0;
  std::size_t repeats = 0;
  for (std::uint64_t i = 0; i < runs; ++i) {
    Run run(seed + i);
    const std::string trouble = run.go();
    if (!trouble.empty()) {
      std::printf("FAILED: %s (repeat with --runs 1 --seed %llu)\n", trouble.c_str(),
                  static_cast<unsigned long long>(seed + i));
      return 1;
    }
    acknowledged += run.acknowledged();
    repeats += run.repeats();
  }
  std::printf("%llu runs: acknowledged=%zu lost=0 repeats=%zu\n",
              static_cast<unsigned long long>(runs), acknowledged, repeats);
  return 0;
}

}  // namespace
}  // namespace millrace

int main(int argc, char** argv) {
  std::uint64_t runs = 300;
  std::uint64_t seed = std::random_device{}();
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    (name == "--runs" ? runs : seed) = std::strtoull(argv[i + 1], nullptr, 10);
  }
  return millrace::simulate(runs, seed);
}
