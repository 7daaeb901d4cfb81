// Datagrams of any bytes as syslogudp takes them: each event lies in its batch, and has whole
// headers.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "core/event_batch.h"
#include "source/datagram_source.h"
#include "source/syslog/syslog_indexer.h"

namespace millrace {
namespace {

void take(SyslogIndexer& indexer, EventBatch::Builder& builder, std::string_view datagram) {
  const std::string_view text = first_line(datagram);
  CHECK(text.find('\n') == std::string_view::npos && text.size() <= datagram.size());
  if (!text.empty()) {
    indexer.add(builder, {builder.store_read_body(text), false});
  }
}

// The first byte of a datagram says how long it is.
void run(std::uint8_t choice, std::string_view bytes) {
  ByteBudget budget(std::size_t{64} << 20);
  SlabPool pool(budget);
  BatchSpace space(pool);
  EventBatch::Builder builder(space);
  SyslogDialect dialect;
  dialect.keep = parse_keep_fields((choice & 1) != 0 ? "timestamp hostname" : "none");
  SyslogIndexer indexer(std::move(dialect));
  SyslogOrigin origin;
  while (!bytes.empty()) {
    const std::size_t size = static_cast<std::uint8_t>(bytes.front()) * std::size_t{4};
    const std::string_view datagram = bytes.substr(1, size);
    bytes.remove_prefix(1 + datagram.size());
    indexer.start_read(origin, 1'767'000'000'000);
    take(indexer, builder, datagram);
    if (builder.size() >= 8) {
      builder.seal();
      indexer.start_batch();
    }
  }
  const BatchPtr batch = builder.seal();
  for (const EventRef& event : *batch) {
    CHECK(check_header_block(event.header_block()).ok());
    CHECK(event.body().data() != nullptr);
  }
}

}  // namespace
}  // namespace millrace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= 1) {
    millrace::run(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  }
  return 0;
}
