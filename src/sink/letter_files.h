// dead-letter.directory: letters go to Avro files of a folder.
#pragma once

#include "core/dead_letter.h"
#include "sink/output_names.h"
#include "sink/output_series.h"

namespace millrace {

// AGENT.SINK-<ms at which the sink was made>-N.avro: container files of Flume's event schema, not
// compressed. Each write ends a block, so that a file can be read while it grows.
//
// Durable: write() returns after fdatasync of the file and, for a new one, of its folder.
// Repeats: none after an error, as long as the file can be cut back; after a kill, letters whose
// transaction did not commit.
// Threads: its sink's runner's.
class LetterFiles final : public DeadLetter {
 public:
  LetterFiles(const RejectionConfig& config, const DeadLetterContext& context);

  Result<> start() override;
  Posted write(const BatchPtr& letters) override;
  void idle() override { series_.roll_if_due(); }
  void stop() override { series_.close(); }

 private:
  Result<> append(const EventBatch& letters);

  const std::filesystem::path directory_;
  FileSystem& files_;
  OutputNames names_;
  Counter opened_;  // Nobody asks for these: the letters are counted.
  Counter closed_;
  Counter failed_;
  OutputSeries series_;
};

}  // namespace millrace
