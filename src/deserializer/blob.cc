// The deserializer of large binary objects (Flume 1.11,
// org.apache.flume.sink.solr.morphline.BlobDeserializer): a whole file is one event.
#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "config/fields.h"
#include "core/deserializer.h"
#include "core/registry.h"
#include "deserializer/file_window.h"

namespace millrace {
namespace {

struct BlobDeserializerConfig {
  std::uint32_t longest_blob = 100'000'000;

  static constexpr auto fields() {
    using C = BlobDeserializerConfig;
    return std::tuple{
        field("maxBlobLength", &C::longest_blob,
              "Most bytes of an event; a longer file becomes several. Each of them has to be in "
              "memory as a whole.")
            .range(1, 2'147'483'647),
    };
  }
};

// Bytes are not looked at. A blob that the budget of events in flight can never hold is kRejected.
// Bodies lie in the slab that was read into, without a copy.
class BlobDeserializer final : public EventDeserializer {
 public:
  using Config = BlobDeserializerConfig;
  BlobDeserializer(const Config& config, DeserializerContext context)
      : longest_(config.longest_blob),
        budget_(context.space.bodies.pool().budget()),
        window_(context.space, std::move(context.file), context.position, context.end) {}

  Result<Read> read(EventBatch::Builder& builder, std::size_t most,
                    std::string_view headers) override;
  std::uint64_t position() const override { return window_.position(); }

 private:
  // So many bytes are enough for one put: blobs may be large.
  static constexpr std::size_t kEnough = std::size_t{16} << 20;

  const std::uint64_t longest_;
  const ByteBudget& budget_;
  FileWindow window_;
};

Result<EventDeserializer::Read> BlobDeserializer::read(EventBatch::Builder& builder,
                                                       std::size_t most, std::string_view headers) {
  for (std::size_t given = 0; builder.size() < most && given < kEnough;) {
    const auto blob = static_cast<std::size_t>(std::min(longest_, window_.left()));
    if (blob == 0) {
      return Read::kEnd;
    }
    if (blob > budget_.limit()) {
      return rejected("an event of " + std::to_string(blob) + " bytes is more than the " +
                      std::to_string(budget_.limit()) +
                      " bytes that all events in flight may take: lower maxBlobLength, or raise "
                      "-Xmx");
    }
    while (window_.bytes().size() < blob) {
      if (TRY(window_.more(blob - window_.bytes().size())) == FileWindow::More::kNoMemory) {
        return Read::kNoMemory;
      }
    }
    const std::string_view body = window_.bytes().substr(0, blob);
    builder.add(body, headers);
    builder.keep_bytes(window_.slab(), body);
    window_.take(blob);
    given += blob;
  }
  return Read::kEvents;
}

const RegisterDeserializer<BlobDeserializer> entry{
    "", "org.apache.flume.sink.solr.morphline.BlobDeserializer$Builder",
    "Makes an event of a whole file."};

}  // namespace
}  // namespace millrace
