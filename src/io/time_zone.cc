#include "io/time_zone.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/bytes.h"
#include "io/time_zone_name.h"

namespace millrace {
namespace {

// What a block of a file of time zones holds (RFC 8536, 3.1).
struct Counts {
  std::uint32_t utc_marks = 0;
  std::uint32_t standard_marks = 0;
  std::uint32_t leap_seconds = 0;
  std::uint32_t changes = 0;
  std::uint32_t types = 0;
  std::uint32_t name_bytes = 0;

  // Bytes of the block; `time_size`: of a moment in it.
  std::uint64_t size(std::uint64_t time_size) const {
    return changes * (time_size + 1) + types * std::uint64_t{6} + name_bytes +
           leap_seconds * (time_size + 4) + standard_marks + utc_marks;
  }
};

Result<Counts> read_head(ByteReader& reader) {
  if (TRY(reader.bytes(4)) != "TZif") {
    return corrupt("no file of a time zone");
  }
  TRY(reader.skip(16));
  Counts counts;
  for (std::uint32_t* const count :
       {&counts.utc_marks, &counts.standard_marks, &counts.leap_seconds, &counts.changes,
        &counts.types, &counts.name_bytes}) {
    *count = TRY(reader.big<std::uint32_t>());
  }
  return counts;
}

Result<std::vector<std::int32_t>> read_offsets(std::string_view bytes, std::uint32_t types) {
  ByteReader reader(bytes);
  std::vector<std::int32_t> offsets;
  for (std::uint32_t i = 0; i < types; ++i) {
    offsets.push_back(TRY(reader.big<std::int32_t>()));
    TRY(reader.skip(2));
  }
  return offsets;
}

}  // namespace

Result<TimeZone> TimeZone::load(FileSystem& files, const std::filesystem::path& folder,
                                const std::string& id) {
  const std::string rule = TRY(time_zone_rule(files, folder, id));
  if (!rule.starts_with('<')) {
    return parse(TRY(read_file(files, folder / rule))).with(rule);
  }
  TimeZone zone;
  zone.is_of_process_ = false;
  zone.rule_ = TRY(TimeZoneRule::parse(rule));
  return zone;
}

Result<TimeZone> TimeZone::parse(std::string_view bytes) {
  TimeZone zone;
  zone.is_of_process_ = false;
  ByteReader reader(bytes);
  const Counts old = TRY(read_head(reader));
  TRY(reader.skip(old.size(4)));  // The same with 32 bits, for readers of the first version.
  const Counts counts = TRY(read_head(reader));
  ByteReader times(TRY(reader.bytes(counts.changes * std::uint64_t{8})));
  const std::string_view types = TRY(reader.bytes(counts.changes));
  const std::string_view kinds = TRY(reader.bytes(counts.types * std::uint64_t{6}));
  const std::vector<std::int32_t> offsets = TRY(read_offsets(kinds, counts.types));
  if (offsets.empty()) {
    return corrupt("a time zone without an offset");
  }
  zone.first_offset_ = offsets.front();
  for (const char type : types) {
    const auto index = static_cast<unsigned char>(type);
    if (index >= offsets.size()) {
      return corrupt("a time zone with a change to an offset that it has not");
    }
    zone.changes_.push_back({TRY(times.big<std::int64_t>()), offsets[index]});
  }
  TRY(reader.skip(counts.size(8) - counts.changes * std::uint64_t{9} -
                  counts.types * std::uint64_t{6}));
  std::string_view rule = reader.rest();
  if (rule.size() > 2 && rule.front() == '\n' && rule.back() == '\n') {
    zone.rule_ = TRY(TimeZoneRule::parse(rule.substr(1, rule.size() - 2)));
  }
  return zone;
}

std::int32_t TimeZone::offset_at(std::int64_t seconds) const {
  if (is_of_process_) {
    const auto time = static_cast<std::time_t>(seconds);
    std::tm parts{};
    return ::localtime_r(&time, &parts) != nullptr ? static_cast<std::int32_t>(parts.tm_gmtoff) : 0;
  }
  if (rule_ && (changes_.empty() || seconds >= changes_.back().at)) {
    return rule_->offset_at(seconds);
  }
  const auto next = std::upper_bound(
      changes_.begin(), changes_.end(), seconds,
      [](std::int64_t wanted, const Change& change) { return wanted < change.at; });
  return next == changes_.begin() ? first_offset_ : std::prev(next)->offset;
}

// A day before and a day behind lie on both sides of a change that is near.
std::int64_t TimeZone::seconds_of(std::int64_t local) const {
  constexpr std::int64_t kDay = 86'400;
  const std::int32_t before = offset_at(local - kDay);
  const std::int32_t behind = offset_at(local + kDay);
  const std::int64_t later = local - std::min(before, behind);
  const std::int64_t earlier = local - std::max(before, behind);
  if (offset_at(later) == std::min(before, behind)) {
    return later;
  }
  return offset_at(earlier) == std::max(before, behind) ? earlier : local - before;
}

}  // namespace millrace
