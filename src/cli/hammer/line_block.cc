#include "cli/hammer/line_block.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include "base/check.h"

namespace millrace {
namespace {

// Words as log lines have them; enough of them that a codec finds no more repeats than in those.
constexpr std::array<std::string_view, 64> kWords{
    "accept",  "address", "agent",   "answer",  "batch",   "block",  "buffer",  "channel",
    "client",  "close",   "commit",  "connect", "count",   "cpu",    "delay",   "deliver",
    "disk",    "drain",   "error",   "event",   "failed",  "file",   "flow",    "flush",
    "handler", "header",  "host",    "index",   "info",    "kernel", "latency", "length",
    "level",   "limit",   "memory",  "message", "network", "node",   "open",    "packet",
    "page",    "peer",    "port",    "process", "queue",   "read",   "record",  "refused",
    "request", "retry",   "segment", "server",  "session", "sink",   "socket",  "source",
    "started", "stopped", "stream",  "thread",  "timeout", "user",   "warning", "write"};

// Words and hexadecimal ids in turn, by chance.
std::string random_padding(std::mt19937_64& random, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    const std::uint64_t draw = random();
    text.append(kWords[draw % kWords.size()]).push_back(' ');
    if ((draw >> 8) % 4 == 0) {
      char id[10];
      put_digits(id, sizeof id, draw >> 16);
      text.append(id + 4, 6).push_back(' ');
    }
  }
  text.resize(bytes);
  return text;
}

void increment(char* digits) {
  std::size_t i = kNumberDigits - 1;
  while (digits[i] == '9' && i > 0) {
    digits[i--] = '0';
  }
  ++digits[i];
}

}  // namespace

LineBlock::LineBlock(const LineShape& shape, std::size_t bytes)
    : line_bytes_(shape.line_bytes + 1),
      prefix_bytes_(shape.prefix.size()),
      slots_(std::max<std::size_t>(1, bytes / (shape.line_bytes + 1))) {
  const std::size_t event_bytes = shape.line_bytes - shape.prefix.size();
  std::mt19937_64 random(shape.hammer);  // The same lines in each run: figures can be compared.
  block_.reserve(slots_ * line_bytes_);
  for (std::size_t i = 0; i < slots_; ++i) {
    const EventText event =
        make_event_text(shape.hammer, shape.run, event_bytes,
                        shape.words ? random_padding(random, event_bytes) : std::string("x"));
    number_at_ = shape.prefix.size() + event.number_at;
    copy_at_ = shape.prefix.size() + event.copy_at;
    block_.append(shape.prefix).append(event.text).push_back('\n');
  }
  put_digits(next_, kNumberDigits, base_);
}

std::string_view LineBlock::lines(std::uint64_t first, std::size_t most) {
  if (first < base_ || first - base_ >= slots_ || first - base_ > numbered_) {
    base_ = first;
    numbered_ = 0;
    put_digits(next_, kNumberDigits, first);
  }
  const auto from = static_cast<std::size_t>(first - base_);
  const std::size_t to = from + std::min(std::max<std::size_t>(most, 1), slots_ - from);
  number_until(to);
  return {slot(from), (to - from) * line_bytes_};
}

void LineBlock::number_until(std::size_t end) {
  for (; numbered_ < end; ++numbered_) {
    std::memcpy(slot(numbered_) + number_at_, next_, kNumberDigits);
    increment(next_);
  }
}

std::string LineBlock::line_again(std::uint64_t number, unsigned copy) const {
  std::string line = block_.substr(number % slots_ * line_bytes_, line_bytes_);
  put_digits(line.data() + number_at_, kNumberDigits, number);
  put_digits(line.data() + copy_at_, 2, std::min(copy, kMostCopies));
  return line;
}

void LineBlock::set_prefix(std::string_view prefix) {
  CHECK(prefix.size() == prefix_bytes_);
  for (std::size_t i = 0; i < slots_; ++i) {
    std::memcpy(slot(i), prefix.data(), prefix.size());
  }
}

}  // namespace millrace
