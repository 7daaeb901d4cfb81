// Events as records of a SequenceFile: hdfs.fileType SequenceFile, by hdfs.writeFormat.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "core/serializer.h"
#include "serializer/sequence_file/sequence_file_writer.h"

namespace millrace {

// "Writable", "Text", or Flume's class of either, by name. kConfig, for people, for others.
Result<SequenceValue> write_format_named(std::string_view name);

// The key is the event's header `timestamp`, in milliseconds, else the time of now; the value is
// its body. Each file has a sync marker of its own. Threads: its sink's.
class SequenceFileSerializer final : public EventSerializer {
 public:
  // `clock` outlives it.
  SequenceFileSerializer(SequenceFileOptions options, const Clock& clock)
      : writer_(std::move(options)), clock_(clock) {}

  FileContents contents() const override { return FileContents::kSequenceFile; }
  bool takes_all() const override { return false; }
  Result<> check(const EventRef& event) override;
  Result<> begin(std::string& out) override;
  Result<> append(const EventBatch& batch, std::string& out) override;
  Result<> flush(std::string& out) override { return writer_.sync(out); }
  void drop_open() override { writer_.drop_open(); }

 private:
  SequenceFileWriter writer_;
  const Clock& clock_;
};

}  // namespace millrace
