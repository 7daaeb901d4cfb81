// Writes and reads files of every format that a file sink writes, so that Hadoop's own classes can
// do the same with them: Formats.java. Driven by formats.sh.
//
//   format_files write FOLDER COUNT   records.txt, a line "KEY BODY" each, bodies in hexadecimal;
//                                     these records in each format in the folder `ours`
//   format_files read FOLDER          every file there holds the records of FOLDER/../records.txt
//
// A file's name says what is in it: COMPRESSION-CODEC-FORMAT.seq, or CODEC.EXTENSION.
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "io/file_system.h"
#include "serializer/hadoop_codec/codec_reader.h"
#include "serializer/sequence_file/sequence_file_reader.h"
#include "serializer/sequence_file/sequence_file_writer.h"

namespace millrace {
namespace {

constexpr HadoopCodec kCodecs[] = {
    HadoopCodec::kDefault, HadoopCodec::kDeflate, HadoopCodec::kGzip,     HadoopCodec::kBzip2,
    HadoopCodec::kSnappy,  HadoopCodec::kLz4,     HadoopCodec::kZstandard};
constexpr std::size_t kFlushes = 5;  // Of a file.

struct Record {
  std::int64_t key;
  std::string body;
  bool operator==(const Record&) const = default;
};
using Records = std::vector<Record>;

// Sizes around those where numbers get a byte more, and one that needs several chunks of a codec.
Records make_records(std::size_t count) {
  std::mt19937_64 random(6);
  Records records;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t sizes[] = {0, 1, 111, 127, 128, 300, 1'000, 65'536};
    std::string body(i == 700 ? 900'000 : sizes[i % 50 == 0 ? random() % 8 : random() % 7], 'x');
    for (std::size_t j = 0; j < body.size(); j += 1 + random() % 30) {
      body[j] = static_cast<char>(random());
    }
    records.push_back({static_cast<std::int64_t>(1'700'000'000'000 + i), std::move(body)});
  }
  return records;
}

// What a stream of them is.
std::string lines_of(const Records& records) {
  std::string lines;
  for (const Record& record : records) {
    lines += record.body + '\n';
  }
  return lines;
}

void write_records(const std::filesystem::path& path, const Records& records) {
  std::ofstream out(path);
  for (const Record& record : records) {
    out << record.key << ' ';
    for (const char byte : record.body) {
      out << fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    out << '\n';
  }
}

Records read_records(const std::filesystem::path& path) {
  std::ifstream in(path);
  Records records;
  for (std::string line; std::getline(in, line);) {
    const std::size_t blank = line.find(' ');
    Record record{std::stoll(line.substr(0, blank)), {}};
    for (std::size_t at = blank + 1; at < line.size(); at += 2) {
      record.body += static_cast<char>(std::stoi(line.substr(at, 2), nullptr, 16));
    }
    records.push_back(std::move(record));
  }
  return records;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

Result<> write_sequence(const std::filesystem::path& folder, const SequenceFileOptions& options,
                        const Records& records) {
  static constexpr std::string_view kCompressions[] = {"none", "record", "block"};
  SequenceFileWriter writer(options);
  std::string file;
  writer.begin("0123456789abcdef", file);
  std::size_t count = 0;
  for (const Record& record : records) {
    TRY(writer.append(record.key, record.body, file));
    if (++count % (records.size() / kFlushes) == 0) {
      TRY(writer.sync(file));
    }
  }
  TRY(writer.sync(file));
  write_file(folder / fmt::format("{}-{}-{}.seq",
                                  kCompressions[static_cast<std::size_t>(options.compression)],
                                  to_string(options.codec),
                                  options.value == SequenceValue::kText ? "Text" : "Writable"),
             file);
  return {};
}

Result<> write_stream(const std::filesystem::path& folder, HadoopCodec codec,
                      const Records& records) {
  const auto compressor = make_hadoop_compressor(codec);
  std::string file;
  std::size_t count = 0;
  for (const Record& record : records) {
    TRY(compressor->add(record.body + '\n'));
    if (++count % (records.size() / kFlushes) == 0) {
      file += TRY(compressor->finish());
    }
  }
  write_file(folder / (std::string(to_string(codec)) + std::string(default_extension(codec))),
             file);
  return {};
}

Result<> write_all(const std::filesystem::path& folder, std::size_t count) {
  const Records records = make_records(count);
  write_records(folder / "records.txt", records);
  std::filesystem::create_directories(folder / "ours");
  for (const SequenceValue value : {SequenceValue::kWritable, SequenceValue::kText}) {
    TRY(write_sequence(folder / "ours", {.value = value}, records));
    for (const auto compression : {SequenceCompression::kRecord, SequenceCompression::kBlock}) {
      for (const HadoopCodec codec : kCodecs) {
        TRY(write_sequence(folder / "ours",
                           {.value = value, .compression = compression, .codec = codec}, records));
      }
    }
  }
  for (const HadoopCodec codec : kCodecs) {
    TRY(write_stream(folder / "ours", codec, records));
  }
  return {};
}

Result<Records> read_sequence(ByteSource source, const std::string& name) {
  SequenceFileReader reader = TRY(SequenceFileReader::over(std::move(source), name));
  Records records;
  SequenceRecord record;
  while (TRY(reader.next(record))) {
    const std::string_view body =
        TRY(sequence_value_bytes(reader.header().value_class, record.value));
    records.push_back({TRY(ByteReader(record.key).big<std::int64_t>()), std::string(body)});
  }
  return records;
}

Result<std::string> read_stream(HadoopCodec codec, ByteSource source, const std::string& name) {
  CodecReader reader(codec, std::move(source), name);
  std::string text;
  for (;;) {
    const std::string_view piece = TRY(reader.next());
    if (piece.empty()) {
      return text;
    }
    text += piece;
  }
}

Result<> read_all(const std::filesystem::path& folder) {
  const Records records = read_records(folder / "../records.txt");
  const std::string lines = lines_of(records);
  std::size_t files = 0;
  for (const std::string& name : TRY(real_file_system().list(folder))) {
    ByteSource source = source_of(TRY(real_file_system().open(folder / name, OpenMode::kRead)));
    const bool same =
        name.ends_with(".seq")
            ? TRY(read_sequence(std::move(source), name)) == records
            : TRY(read_stream(hadoop_codec_of(name), std::move(source), name)) == lines;
    if (!same) {
      return corrupt(name + " holds other records");
    }
    ++files;
  }
  fmt::print("{} files read, {} records each\n", files, records.size());
  return {};
}

}  // namespace
}  // namespace millrace

int main(int count, char** words) {
  using namespace millrace;
  if (count < 3) {
    fmt::print(stderr, "usage: format_files write FOLDER COUNT | read FOLDER\n");
    return 2;
  }
  const Result<> done = count > 3 ? write_all(words[2], std::stoul(words[3])) : read_all(words[2]);
  if (!done.ok()) {
    fmt::print(stderr, "format_files: {}\n", done.error().message());
  }
  return done.ok() ? 0 : 1;
}
