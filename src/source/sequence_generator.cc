#include "source/sequence_generator.h"

#include <algorithm>
#include <charconv>

#include "core/registry.h"

namespace millrace {
namespace {

constexpr std::chrono::milliseconds kIdle{3'600'000};
constexpr std::chrono::milliseconds kMemoryRetry{5};

}  // namespace

SequenceGeneratorSource::SequenceGeneratorSource(Config config, SourceContext context)
    : ThreadSource(std::move(context)),
      config_(config),
      batches_(context_.metrics.counter("AppendBatchAcceptedCount")),
      builder_(space_) {}

SequenceGeneratorSource::~SequenceGeneratorSource() {
  stop(SteadyTime{});
}

std::chrono::milliseconds SequenceGeneratorSource::turn(std::stop_token stop) {
  if (next_ >= config_.total_events) {
    return kIdle;
  }
  const std::int64_t end =
      next_ + std::min<std::int64_t>(config_.batch_size, config_.total_events - next_);
  char digits[20];
  while (next_ < end) {
    const char* last = std::to_chars(digits, digits + sizeof digits, next_).ptr;
    const std::string_view body =
        builder_.store_body({digits, static_cast<std::size_t>(last - digits)});
    if (body.data() == nullptr) {
      break;
    }
    builder_.add(body);
    ++next_;
  }
  if (builder_.empty()) {
    return kMemoryRetry;
  }
  put(builder_, std::move(stop), [this](const Result<>& result) { batches_.add(result.ok()); });
  return std::chrono::milliseconds(0);
}

const RegisterSource<SequenceGeneratorSource> entry{
    "seq", "org.apache.flume.source.SequenceGeneratorSource", "Makes events that count up from 0."};

}  // namespace millrace
