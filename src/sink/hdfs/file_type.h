// hdfs.fileType with hdfs.codeC, hdfs.writeFormat and serializer: what the bytes of a file are.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/component.h"
#include "core/serializer.h"
#include "sink/hdfs/hdfs_config.h"
#include "sink/hdfs/left_files.h"

namespace millrace {

// Reports which of these keys do not go together, or are not known.
void check_file_type(const HdfsSinkConfig& config, ConfigCheck& check);

struct FileType {
  std::function<std::unique_ptr<EventSerializer>()> make_serializer;
  std::string extension;  // With its dot, or empty: hdfs.fileSuffix, else the codec's.
  LeftFiles::FindEnd find_end;
};
// After check_file_type() found no fault. `services` outlive it.
FileType file_type_of(const HdfsSinkConfig& config, Services& services);

}  // namespace millrace
