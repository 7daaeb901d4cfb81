#include "web/flume_attributes.h"

#include <algorithm>
#include <array>

namespace millrace {
namespace {

constexpr auto kSource = std::to_array<std::string_view>({
    "AppendAcceptedCount",
    "AppendBatchAcceptedCount",
    "AppendBatchReceivedCount",
    "AppendReceivedCount",
    "ChannelWriteFail",
    "EventAcceptedCount",
    "EventReadFail",
    "EventReceivedCount",
    "GenericProcessingFail",
    "OpenConnectionCount",
    "StartTime",
    "StopTime",
});

constexpr auto kChannel = std::to_array<std::string_view>({
    "ChannelCapacity",
    "ChannelFillPercentage",
    "ChannelSize",
    "EventPutAttemptCount",
    "EventPutSuccessCount",
    "EventTakeAttemptCount",
    "EventTakeSuccessCount",
    "StartTime",
    "StopTime",
});

constexpr auto kSink = std::to_array<std::string_view>({
    "BatchCompleteCount",
    "BatchEmptyCount",
    "BatchUnderflowCount",
    "ChannelReadFail",
    "ConnectionClosedCount",
    "ConnectionCreatedCount",
    "ConnectionFailedCount",
    "EventDrainAttemptCount",
    "EventDrainSuccessCount",
    "EventWriteFail",
    "StartTime",
    "StopTime",
});

constexpr auto kGauges = std::to_array<std::string_view>({
    "ChannelCapacity",
    "ChannelFillPercentage",
    "ChannelSize",
    "OpenConnectionCount",
    "StartTime",
    "StopTime",
    "Unhealthy",
});

}  // namespace

std::span<const std::string_view> flume_attributes(std::string_view type) {
  if (type == "SOURCE") {
    return kSource;
  }
  if (type == "CHANNEL") {
    return kChannel;
  }
  if (type == "SINK") {
    return kSink;
  }
  return {};
}

bool is_flume_gauge(std::string_view attribute) {
  return std::find(kGauges.begin(), kGauges.end(), attribute) != kGauges.end();
}

}  // namespace millrace
