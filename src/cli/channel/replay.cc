// `millrace channel replay`: sends events of a channel again.
#include <fmt/core.h>

#include <cstdio>

#include "cli/channel/chosen.h"
#include "cli/channel/commands.h"
#include "cli/channel/event_walk.h"
#include "cli/channel/line_sender.h"
#include "cli/channel/replay_range.h"
#include "cli/channel/summary_output.h"
#include "cli/times.h"
#include "cli/words.h"

namespace millrace {
namespace {

using file_channel::ChannelView;
using file_channel::EventRanges;
using file_channel::SegmentContents;

struct ReplayOptions {
  ChannelArguments channel;
  std::string from;
  std::string to;
  std::string into;
};

// Where events go again.
class Destination {
 public:
  virtual ~Destination() = default;
  virtual Result<> send(const ChannelEvent& event) = 0;
  virtual Result<> finish() = 0;
  virtual std::uint64_t arrived() const = 0;  // Known to be there.
  virtual std::uint64_t left_out() const { return 0; }
};

class AvroDestination final : public Destination {
 public:
  explicit AvroDestination(std::unique_ptr<EventOutput> output) : output_(std::move(output)) {}
  Result<> send(const ChannelEvent& event) override {
    ++sent_;
    return output_->write(event);
  }
  Result<> finish() override {
    TRY(output_->finish());
    arrived_ = sent_;
    return {};
  }
  std::uint64_t arrived() const override { return arrived_; }

 private:
  std::unique_ptr<EventOutput> output_;
  std::uint64_t sent_ = 0;
  std::uint64_t arrived_ = 0;
};

// An event with a line end in it would come as two.
class NetcatDestination final : public Destination {
 public:
  explicit NetcatDestination(LineSender sender) : sender_(std::move(sender)) {}
  Result<> send(const ChannelEvent& event) override {
    if (event.body.find('\n') != std::string_view::npos) {
      ++left_out_;
      return {};
    }
    return sender_.send(event.body);
  }
  Result<> finish() override { return sender_.finish(); }
  std::uint64_t arrived() const override { return sender_.answered(); }
  std::uint64_t left_out() const override { return left_out_; }

 private:
  LineSender sender_;
  std::uint64_t left_out_ = 0;
};

Result<std::unique_ptr<Destination>> open_destination(const std::string& into) {
  if (into.ends_with(".avro")) {
    OutputTarget target = TRY(OutputTarget::open(real_file_system(), into));
    return std::unique_ptr<Destination>(
        std::make_unique<AvroDestination>(TRY(avro_output(std::move(target)))));
  }
  const std::size_t colon = into.rfind(':');
  return std::unique_ptr<Destination>(std::make_unique<NetcatDestination>(
      TRY(LineSender::connect(into.substr(0, colon), into.substr(colon + 1), {}))));
}

// What of the range is on disk no more, as far as that can be told.
std::string absent_text(const ReplayRange& range, const ChannelView& view,
                        const WalkCounts& counts) {
  if (range.is_about_time()) {
    const bool is_cut = counts.first && counts.first->first > 0 && counts.first->time_ms > 0 &&
                        range.from_ms < counts.first->time_ms;
    return is_cut ? fmt::format("what was put before {} is not on disk any more\n",
                                time_text(counts.first->time_ms))
                  : "";
  }
  EventRanges absent;
  absent.add({range.first, std::min(range.last + 1, view.log.events.next)});
  absent.remove(counts.found);
  absent.remove(counts.damaged);
  return absent.empty() ? ""
                        : fmt::format("{} of the range not on disk any more: {}\n",
                                      counted(absent.count(), "number"), ranges_text(absent));
}

void report(const ReplayOptions& options, const ReplayRange& range, const ChannelView& view,
            const WalkCounts& counts, const Destination& destination) {
  fmt::print("{} of the range on disk{}\n", counted(counts.found.count(), "event"),
             counts.found.empty() ? "" : ", numbers " + ranges_text(counts.found));
  fmt::print("{} sent again into {}: whoever has them already gets them twice\n",
             counted(destination.arrived(), "event"), options.into);
  fmt::print("{}", absent_text(range, view, counts));
  if (range.is_about_time() && counts.timeless > 0) {
    fmt::print("{} left out: an older version wrote them, without a time\n",
               counted(counts.timeless, "event"));
  }
  if (!counts.damaged.empty()) {
    fmt::print("{} left out: `millrace channel verify` says where\n",
               counted(counts.damaged.count(), "damaged event"));
  }
  if (destination.left_out() > 0) {
    fmt::print("{} left out: there is a line end in them; --into FILE.avro takes them\n",
               counted(destination.left_out(), "event"));
  }
}

bool may_hold(const SegmentContents& segment, const ReplayRange& range) {
  return segment.numbers.empty() ||  // Nobody has looked yet.
         (segment.numbers.first <= range.last && segment.numbers.end > range.first);
}

// Whether all of the range that is on disk has arrived.
Result<bool> replay(const ReplayOptions& options, const ReplayRange& range, const JavaFlags& java) {
  const ChosenChannel channel = TRY(chosen_channel(options.channel, java));
  FileSystem& files = real_file_system();
  const ChannelView view = TRY(file_channel::view_channel(files, channel.folders));
  const std::unique_ptr<Destination> destination = TRY(open_destination(options.into));
  Result<WalkCounts> walked = walk_events(
      files, view, [&](const SegmentContents& segment) { return may_hold(segment, range); },
      [&](file_channel::EventNumber number, std::int64_t time_ms) {
        return range.holds(number, time_ms);
      },
      [&](const ChannelEvent& event) { return destination->send(event); });
  Result<> sent = walked.ok() ? destination->finish() : Result<>(walked.error());
  fmt::print("channel {}: {}\n{}", channel.name, state_text(view),
             view.has_damaged_checkpoint() ? checkpoint_troubles(view) : "");
  if (!sent.ok()) {
    return std::move(sent).error().with(fmt::format("{}: {} arrived, what was under way may have",
                                                    options.into,
                                                    counted(destination->arrived(), "event")));
  }
  report(options, range, view, *walked, *destination);
  return walked->damaged.empty() && destination->left_out() == 0;
}

}  // namespace

int run_channel_replay(const CommandLine& line) {
  ReplayOptions arguments;
  Options options("channel replay", "Sends events of a channel again that are still on disk.");
  describe_channels(options, arguments.channel);
  options.text("--from", arguments.from,
               "First number, or put time (RFC 3339, or 1796061662500ms).");
  options.text("--to", arguments.to, "Last number, or put time; without, to the end.");
  options.text("--into", arguments.into, "HOST:PORT of a netcat source, or FILE.avro.");
  options.footer(
      "Delivered events too, as long as their segment was not written over. The events come again: "
      "whoever\nhas them already gets them twice. A netcat source gets the bodies, a line each, "
      "and "
      "no headers.\nChanges nothing in the channel, takes no lock.");
  if (const auto status = parse(options, arguments.channel, line)) {
    return *status;
  }
  if (arguments.from.empty() || arguments.into.empty()) {
    return options.refuse("needs --from and --into");
  }
  if (!arguments.into.ends_with(".avro") && arguments.into.rfind(':') == std::string::npos) {
    return options.refuse("--into: expected HOST:PORT or FILE.avro");
  }
  const Result<ReplayRange> range = parse_range(arguments.from, arguments.to);
  if (!range.ok()) {
    return options.refuse(range.error().message());
  }
  const Result<bool> whole = replay(arguments, *range, line.java);
  if (!whole.ok()) {
    return fail("channel replay", whole.error());
  }
  return *whole ? kDone : kFailedAtWork;
}

}  // namespace millrace
