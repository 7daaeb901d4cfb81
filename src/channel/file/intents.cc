#include "channel/file/intents.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace millrace::file_channel {

void Intents::add(Intent intent) {
  const auto [at, is_new] = intents_.try_emplace(intent.sink);
  if (is_new || at->second.sequence < intent.sequence) {
    at->second = std::move(intent);
  }
}

void Intents::add(const Intents& others) {
  for (const Intent* each : others.all()) {
    add(*each);
  }
}

const Intent* Intents::find(std::string_view sink) const {
  const auto found = intents_.find(sink);
  return found == intents_.end() ? nullptr : &found->second;
}

std::vector<const Intent*> Intents::all() const {
  std::vector<const Intent*> all;
  all.reserve(intents_.size());
  for (const auto& [sink, intent] : intents_) {
    all.push_back(&intent);
  }
  return all;
}

std::uint64_t Intents::next_sequence() const {
  std::uint64_t last = 0;
  for (const auto& [sink, intent] : intents_) {
    last = std::max(last, intent.sequence);
  }
  return last + 1;
}

std::string Intents::encode() const {
  std::string out;
  for (const auto& [sink, intent] : intents_) {
    append_little(out, intent.sequence);
    append_little(out, static_cast<std::uint32_t>(sink.size()));
    append_little(out, static_cast<std::uint32_t>(intent.bytes.size()));
    out += sink;
    out += intent.bytes;
  }
  return out;
}

Result<Intents> Intents::decode(std::string_view bytes) {
  Intents intents;
  ByteReader reader(bytes);
  while (!reader.empty()) {
    Intent intent;
    intent.sequence = TRY(reader.little<std::uint64_t>());
    const auto sink_bytes = TRY(reader.little<std::uint32_t>());
    const auto intent_bytes = TRY(reader.little<std::uint32_t>());
    intent.sink = TRY(reader.bytes(sink_bytes));
    intent.bytes = TRY(reader.bytes(intent_bytes));
    intents.add(std::move(intent));
  }
  return intents;
}

}  // namespace millrace::file_channel
