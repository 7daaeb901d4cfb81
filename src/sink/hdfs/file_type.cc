#include "sink/hdfs/file_type.h"

#include <utility>

#include "base/check.h"
#include "core/component_choice.h"
#include "core/registry.h"
#include "serializer/byte_source.h"
#include "serializer/hadoop_codec/compressed_serializer.h"
#include "serializer/sequence_file/sequence_file_serializer.h"

namespace millrace {
namespace {

using MakeSerializer = std::function<std::unique_ptr<EventSerializer>()>;

void check_codec(const HdfsSinkConfig& config, ConfigCheck& check) {
  const Result<HadoopCodec> codec = hadoop_codec_named(config.codec);
  if (!codec.ok()) {
    check.fault("hdfs.codeC", codec.error().message());
  } else if (config.file_type == "DataStream" && !config.codec.empty()) {
    check.fault("hdfs.codeC", "a DataStream has no codec: set hdfs.fileType = CompressedStream");
  } else if (config.file_type == "CompressedStream" && codec.value() == HadoopCodec::kNone) {
    check.fault("hdfs.codeC", "a CompressedStream needs a codec, as gzip or snappy");
  }
}

HadoopCodec codec_of(const HdfsSinkConfig& config) {
  const Result<HadoopCodec> codec = hadoop_codec_named(config.codec);
  CHECK(codec.ok());
  return codec.value();
}

MakeSerializer sequence_file(const HdfsSinkConfig& config, Services& services) {
  SequenceFileOptions options;
  const Result<SequenceValue> value = write_format_named(config.write_format);
  CHECK(value.ok());
  options.value = value.value();
  options.codec = codec_of(config);
  options.compression = options.codec == HadoopCodec::kNone ? SequenceCompression::kNone
                                                            : SequenceCompression::kBlock;
  return [options, &services] {
    return std::make_unique<SequenceFileSerializer>(options, services.clock);
  };
}

MakeSerializer stream(const HdfsSinkConfig& config, Services& services) {
  MakeSerializer make = [&services, choice = ComponentChoice<SerializerRegistry>(
                                        config.serializer, config.serializer_keys)] {
    return choice.make({services});
  };
  const HadoopCodec codec = codec_of(config);
  if (codec == HadoopCodec::kNone) {
    return make;
  }
  return [make = std::move(make), codec] {
    return std::make_unique<CompressedSerializer>(make(), codec);
  };
}

LeftFiles::FindEnd find_end_of(FileShape shape) {
  return [shape](dfs::FileSystem& files, const std::string& path) -> Result<WholePart> {
    std::unique_ptr<dfs::InputStream> input = TRY(files.open(path));
    const std::uint64_t length = input->length();
    return find_whole_part(source_of(std::move(input)), length, shape, path);
  };
}

}  // namespace

void check_file_type(const HdfsSinkConfig& config, ConfigCheck& check) {
  check_codec(config, check);
  if (config.file_type != "SequenceFile") {
    ComponentChoice<SerializerRegistry>::check("serializer", config.serializer,
                                               config.serializer_keys, check);
  } else if (const auto format = write_format_named(config.write_format); !format.ok()) {
    check.fault("hdfs.writeFormat", format.error().message());
  }
}

FileType file_type_of(const HdfsSinkConfig& config, Services& services) {
  FileType type;
  const bool is_sequence_file = config.file_type == "SequenceFile";
  const HadoopCodec codec = codec_of(config);
  type.extension =
      config.file_suffix.empty() ? std::string(default_extension(codec)) : config.file_suffix;
  type.make_serializer =
      is_sequence_file ? sequence_file(config, services) : stream(config, services);
  // The codec of a SequenceFile is inside of its records and blocks.
  type.find_end = find_end_of(
      {type.make_serializer()->contents(), is_sequence_file ? HadoopCodec::kNone : codec});
  return type;
}

}  // namespace millrace
