#include "serializer/hadoop_codec/hadoop_codec.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "config/nearest_name.h"
#include "serializer/compression/stream_compressors.h"
#include "serializer/hadoop_codec/block_codec.h"

namespace millrace {
namespace {

constexpr std::string_view kPackage = "org.apache.hadoop.io.compress.";
constexpr std::string_view kSuffix = "Codec";

struct Known {
  std::string_view name;
  std::string_view class_name;
  std::string_view extension;
};
// In the order of HadoopCodec.
constexpr std::array<Known, 8> kKnown{{
    {"None", "", ""},
    {"Default", "org.apache.hadoop.io.compress.DefaultCodec", ".deflate"},
    {"Deflate", "org.apache.hadoop.io.compress.DeflateCodec", ".deflate"},
    {"Gzip", "org.apache.hadoop.io.compress.GzipCodec", ".gz"},
    {"BZip2", "org.apache.hadoop.io.compress.BZip2Codec", ".bz2"},
    {"Snappy", "org.apache.hadoop.io.compress.SnappyCodec", ".snappy"},
    {"Lz4", "org.apache.hadoop.io.compress.Lz4Codec", ".lz4"},
    {"ZStandard", "org.apache.hadoop.io.compress.ZStandardCodec", ".zst"},
}};

constexpr const Known& known(HadoopCodec codec) {
  return kKnown[static_cast<std::size_t>(codec)];
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return result;
}

// What is left of a class's name, in small letters: "gzip".
std::string bare_name(std::string_view name) {
  if (name.starts_with(kPackage)) {
    name.remove_prefix(kPackage.size());
  }
  std::string bare = lower(name);
  const std::string suffix = lower(kSuffix);
  if (bare.size() > suffix.size() && bare.ends_with(suffix)) {
    bare.resize(bare.size() - suffix.size());
  }
  return bare;
}

Error unknown(std::string_view name, std::string_view bare) {
  std::vector<std::string_view> names;
  std::string all;
  for (const Known& codec : kKnown) {
    names.push_back(codec.name);
    all += (all.empty() ? "" : ", ") + std::string(codec.name);
  }
  const std::string hint = did_you_mean(nearest_name(bare, names));
  return bad_config("no codec is called \"" + std::string(name) + "\"" +
                    (hint.empty() ? "" : ", " + hint) + "; there are " + all);
}

}  // namespace

Result<HadoopCodec> hadoop_codec_named(std::string_view name) {
  const std::string bare = bare_name(name);
  if (bare.empty()) {
    return HadoopCodec::kNone;
  }
  if (bare == "zstd") {
    return HadoopCodec::kZstandard;
  }
  if (bare == "lzo" || bare == "lzop" || bare.ends_with(".lzo") || bare.ends_with(".lzop")) {
    return bad_config(std::string(name) +
                      " is not supported: its library may not be used here; use Lz4 or Snappy");
  }
  for (std::size_t i = 0; i < kKnown.size(); ++i) {
    if (bare == lower(kKnown[i].name)) {
      return static_cast<HadoopCodec>(i);
    }
  }
  return unknown(name, bare);
}

std::string_view to_string(HadoopCodec codec) {
  return known(codec).name;
}
std::string_view class_name(HadoopCodec codec) {
  return known(codec).class_name;
}
std::string_view default_extension(HadoopCodec codec) {
  return known(codec).extension;
}

HadoopCodec hadoop_codec_of(std::string_view file_name) {
  for (std::size_t i = 1; i < kKnown.size(); ++i) {
    if (file_name.ends_with(kKnown[i].extension)) {
      return static_cast<HadoopCodec>(i);
    }
  }
  return HadoopCodec::kNone;
}

std::unique_ptr<Compressor> make_hadoop_compressor(HadoopCodec codec, std::size_t buffer_bytes) {
  switch (codec) {
    case HadoopCodec::kNone:
      break;
    case HadoopCodec::kDefault:
    case HadoopCodec::kDeflate:
      return make_zlib_compressor(ZlibWrapper::kZlib);
    case HadoopCodec::kGzip:
      return make_zlib_compressor(ZlibWrapper::kGzip);
    case HadoopCodec::kBzip2:
      return make_bzip2_compressor();
    case HadoopCodec::kSnappy:
    case HadoopCodec::kLz4:
      return make_block_compressor(codec, buffer_bytes);
    case HadoopCodec::kZstandard:
      return make_zstandard_compressor();
  }
  return nullptr;
}

std::unique_ptr<Decompressor> make_hadoop_decompressor(HadoopCodec codec) {
  switch (codec) {
    case HadoopCodec::kNone:
    case HadoopCodec::kSnappy:
    case HadoopCodec::kLz4:
      break;
    case HadoopCodec::kDefault:
    case HadoopCodec::kDeflate:
      return make_zlib_decompressor(ZlibWrapper::kZlib);
    case HadoopCodec::kGzip:
      return make_zlib_decompressor(ZlibWrapper::kGzip);
    case HadoopCodec::kBzip2:
      return make_bzip2_decompressor();
    case HadoopCodec::kZstandard:
      return make_zstandard_decompressor();
  }
  return nullptr;
}

Result<> HadoopUnpacker::unpack(std::string_view packed, std::size_t limit, RawBuffer& out) {
  out.clear();
  if (is_block_codec(codec_)) {
    return unpack_blocks(codec_, packed, limit, out);
  }
  while (!packed.empty()) {
    TRY(unpack_member(*stream_, packed, limit, out));
  }
  return {};
}

}  // namespace millrace
