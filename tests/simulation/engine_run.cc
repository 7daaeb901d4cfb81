#include "engine_run.h"

#include <cerrno>
#include <thread>

#include "base/check.h"
#include "core/registry.h"
#include "core/sink_runner.h"
#include "numbered_events.h"

namespace millrace {
namespace {

using namespace std::chrono_literals;
using Operation = FakeFileSystem::Operation;

class EverythingSelector final : public Selector {
 public:
  Routing route(const BatchPtr& batch) override { return {{{0, batch, true}}, 0}; }
};

}  // namespace

EngineRun::EngineRun(std::uint64_t seed) : random_(seed), files_(seed) {
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
  exactly_once_ = draw(2) == 0;
  if (exactly_once_) {
    sink_keys_.set({"sink.delivery", "exactly-once", {}, 0, {}});
  }
}

std::string EngineRun::go() {
  static_cast<void>(files_.create_directories("/out"));
  const std::size_t lives = 2 + draw(4);
  for (std::size_t life = 0; life < lives; ++life) {
    live(false);
  }
  live(true);
  return verdict();
}

std::size_t EngineRun::draw(std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
}

std::shared_ptr<Channel> EngineRun::make_channel() {
  Diagnostics diagnostics;
  auto prepared = ChannelRegistry::instance().find("file")->prepare(channel_keys_, diagnostics,
                                                                    common_channel_keys());
  CHECK(prepared.has_value());
  const std::size_t share = draw(2) == 0 ? 32 * 1024 : std::size_t{8} << 20;
  return prepared->make({"c1", services_, metrics_.group("CHANNEL", "c1"), share});
}

std::unique_ptr<Sink> EngineRun::make_sink() {
  Diagnostics diagnostics;
  auto prepared = SinkRegistry::instance()
                      .find("file_roll")
                      ->prepare(sink_keys_, diagnostics, common_sink_keys());
  CHECK(prepared.has_value());
  return prepared->make({"k1", services_, metrics_.group("SINK", "k1"), true});
}

// One life of the agent.
void EngineRun::live(bool is_last) {
  files_.heal();
  files_.set_room(UINT64_MAX);
  const std::shared_ptr<Channel> channel = make_channel();
  if (!is_last && draw(4) == 0) {
    break_something();
  }
  if (const Result<> started = channel->start(); !started.ok()) {
    if (is_last) {
      trouble_ = "the channel does not start: " + started.error().message();
    }
    channel->stop();
    return;
  }
  run_agent(channel, is_last);
  check_conservation(*channel);
  files_.crash();
}

void EngineRun::run_agent(const std::shared_ptr<Channel>& channel, bool is_last) {
  SinkDrain::Options options;
  options.dead_letter_rest = 2ms;
  const auto runner = runner_of(
      std::make_unique<SinkDrain>("k1", channel, make_sink(), metrics_.group("SINK", "k1"), clock_,
                                  std::move(options)),
      clock_, 2ms);
  runner->start();
  std::vector<std::shared_ptr<Channel>> channels{channel};
  ChannelProcessor processor("r1", channels, std::make_unique<EverythingSelector>(), {},
                             {clock_, metrics_.group("SOURCE", "r1"), slabs_});
  processor.attach(tasks_, WhenRefused::kAnswer);
  send(processor, is_last);
  if (!is_last && draw(2) == 0) {
    files_.cut_power();
  }
  if (is_last) {
    wait_until_empty(*channel);
  }
  runner->stop(clock_.steady() + (is_last ? 20s : 10ms));
  channel->stop();
  tasks_.run_until([&] { return processor.unanswered() == 0; }, clock_.steady() + 1s, {});
  processor.give_up();
}

void EngineRun::wait_until_empty(const Channel& channel) {
  const SteadyTime until = clock_.steady() + 20s;
  while (channel.counts().in_channel + channel.counts().held > 0 && clock_.steady() < until) {
    std::this_thread::sleep_for(1ms);
  }
}

void EngineRun::send(ChannelProcessor& processor, bool is_last) {
  const std::size_t batches = 5 + draw(60);
  const std::size_t cut_at = draw(4) == 0 ? draw(batches) : batches;
  for (std::size_t i = 0; i < batches; ++i) {
    if (!is_last && draw(12) == 0) {
      break_something();
    }
    if (!is_last && draw(12) == 0) {
      files_.heal();
      files_.set_room(UINT64_MAX);
    }
    if (!is_last && i == cut_at) {
      files_.cut_power();
    }
    put_batch(processor);
    tasks_.run_until([&] { return processor.ready(); }, clock_.steady() + 50ms, {});
  }
  if (is_last) {
    tasks_.run_until([&] { return processor.unanswered() == 0; }, clock_.steady() + 20s, {});
  }
}

void EngineRun::put_batch(ChannelProcessor& processor) {
  EventBatch::Builder builder(space_);
  const std::size_t count = 1 + draw(draw(4) == 0 ? 300 : 20);
  const std::uint64_t first = next_;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string body = numbered_body(next_++, draw(400));
    const std::string_view stored = builder.store_body(body);
    CHECK(stored.data() != nullptr);
    builder.add(stored);
  }
  processor.put(builder, [this, first, count](const Result<>& result) {
    for (std::uint64_t n = first; result.ok() && n < first + count; ++n) {
      acknowledged_.insert(n);
    }
  });
}

void EngineRun::break_something() {
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

void EngineRun::check_conservation(const Channel& channel) {
  const ChannelCounts c = channel.counts();
  if (c.put != c.acknowledged + c.dropped + c.held + c.in_channel) {
    trouble_ = "conservation: put=" + std::to_string(c.put) +
               " acknowledged=" + std::to_string(c.acknowledged) +
               " dropped=" + std::to_string(c.dropped) + " held=" + std::to_string(c.held) +
               " in channel=" + std::to_string(c.in_channel);
  }
}

std::string EngineRun::verdict() {
  if (!trouble_.empty()) {
    return trouble_;
  }
  const std::map<std::uint64_t, std::size_t> seen = count_numbers(files_, "/out", text_);
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
  if (exactly_once_ && repeats_ > 0) {
    return std::to_string(repeats_) + " events were published again";
  }
  return lost == 0 ? ""
                   : std::to_string(lost) + " acknowledged events lost, the first " +
                         std::to_string(first_lost);
}

}  // namespace millrace
