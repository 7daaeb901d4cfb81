#include "sink/letter_files.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "serializer/avro_event.h"

namespace millrace {
namespace {

// Names come from a configuration, where they may hold anything but a dot and a blank.
std::string as_file_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '_');
  return name;
}

}  // namespace

LetterFiles::LetterFiles(const RejectionConfig& config, const DeadLetterContext& context)
    : directory_(config.directory),
      files_(context.services.files),
      names_(NameStyle::kSeries,
             as_file_name(context.agent) + "." + as_file_name(context.sink) + "-", "avro",
             context.services.clock),
      series_(files_, context.services.clock,
              {.component = "sink " + context.sink,
               .sync = OutputSync::kDurable,
               .roll_interval = config.roll_interval,
               .roll_bytes = config.roll_size.value,
               .keep_empty = false,
               .next_path = [this] { return directory_ / names_.next(); },
               .make_serializer =
                   [&services = context.services] {
                     return std::make_unique<AvroEventSerializer>(AvroEventConfig{},
                                                                  SerializerContext{services});
                   }},
              {opened_, closed_, failed_}) {}

// A folder that cannot be written is found before there is a letter for it.
Result<> LetterFiles::start() {
  TRY(files_.create_directories(directory_));
  const std::filesystem::path probe = directory_ / ".probe";
  TRY(files_.open(probe, OpenMode::kTruncate));
  (void)files_.remove(probe);  // Another sink's start may have done so.
  return {};
}

// A reader may have seen letters that a failure cuts off again. Their places in the file are not
// given to others, which it would take for those: the next ones go into another file.
Posted LetterFiles::write(const BatchPtr& letters) {
  Result<> written = append(*letters);
  if (!written.ok()) {
    series_.close();
  }
  return {written.ok() ? letters->size() : 0, std::move(written)};
}

Result<> LetterFiles::append(const EventBatch& letters) {
  TRY(series_.append(letters));
  return series_.commit();
}

const RegisterLetterFiles entry{
    [](const RejectionConfig& config,
       const DeadLetterContext& context) -> std::unique_ptr<DeadLetter> {
      return std::make_unique<LetterFiles>(config, context);
    }};

}  // namespace millrace
