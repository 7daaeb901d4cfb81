// Fuzzes framing and parsing of syslog streams: the first bytes choose dialect, line length and how
// the stream is cut into reads, the rest is the stream.
#include <cstdint>
#include <cstdlib>

#include "base/check.h"
#include "source/syslog/syslog_framer.h"
#include "source/syslog/syslog_indexer.h"

namespace millrace {
namespace {

SyslogDialect dialect_of(std::uint8_t choice) {
  constexpr std::string_view kKeep[] = {"none", "all", "hostname", "priority version timestamp"};
  SyslogDialect dialect;
  dialect.rules =
      (choice & 1) != 0 ? SyslogDialect::Rules::kPosition : SyslogDialect::Rules::kPattern;
  dialect.keep = parse_keep_fields(kKeep[(choice >> 1) & 3]);
  return dialect;
}

// Every event lies in the batch and has a whole header block.
void check_batch(const EventBatch& batch) {
  for (const EventRef& event : batch) {
    CHECK(check_header_block(event.header_block()).ok());
    CHECK(event.headers().find("flume.syslog.status").value_or("Invalid").size() > 0);
  }
}

void run(std::uint8_t choice, std::size_t longest, std::size_t piece, std::string_view stream) {
  ByteBudget budget(std::size_t{64} << 20);
  SlabPool pool(budget);
  BatchSpace space(pool);
  EventBatch::Builder builder(space);
  SyslogIndexer indexer(dialect_of(choice));
  SyslogOrigin origin;
  if ((choice & 8) != 0) {
    CHECK(origin.set_charset("ISO-8859-1").ok());
  }
  const SyslogFramer framer(longest, (choice & 16) == 0);
  std::string held;
  std::size_t due = 0;
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    held += stream.substr(at, piece);
    indexer.start_read(origin, static_cast<std::int64_t>(at) * 40'000'000);
    std::string_view rest = held;
    for (FramedLine line; framer.next(rest, line, due);) {
      indexer.add(builder, line);
      CHECK(!line.text.empty() && line.text.size() <= longest);
      bytes += line.text.size();
    }
    check_batch(*builder.seal());
    indexer.start_batch();
    held.erase(0, held.size() - rest.size());
    CHECK(held.size() < longest);
  }
  CHECK(bytes + held.size() <= stream.size());
}

}  // namespace
}  // namespace millrace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= 3) {
    // A long stream comes in a few dozen reads, not in a read a byte: that only costs time.
    const std::size_t piece = std::size_t{1} + data[2] + size / 64;
    millrace::run(data[0], std::size_t{10} + data[1], piece,
                  {reinterpret_cast<const char*>(data) + 3, size - 3});
  }
  return 0;
}
