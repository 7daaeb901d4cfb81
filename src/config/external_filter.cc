#include "config/external_filter.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/aead.h"
#include "config/utf8.h"
#include "io/command_output.h"

namespace millrace {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10;

using Value = Result<std::optional<std::string>>;

// As UTF-8; nothing when the bytes are no text of the charset.
std::optional<std::string> decoded(std::string_view bytes, std::string_view charset) {
  std::string text;
  if (charset == "ISO-8859-1") {
    for (const char byte : bytes) {
      append_utf8(text, static_cast<unsigned char>(byte));
    }
    return text;
  }
  const auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
  const bool is_text = charset == "US-ASCII" ? std::all_of(bytes.begin(), bytes.end(), is_ascii)
                                             : is_valid_utf8(bytes);
  return is_text ? std::optional<std::string>(bytes) : std::nullopt;
}

Value ask(const ExternalFilterConfig& config, std::string_view key) {
  std::vector<std::string> arguments = split_words(config.command);
  arguments.emplace_back(key);
  std::string printed = TRY(command_output(arguments, config.timeout, kMostBytes));
  const std::string name = "\"" + arguments.front() + "\" ";
  if (printed.empty()) {
    return transient(name + "prints nothing");
  }
  const std::string_view line = std::string_view(printed).substr(0, printed.find_first_of("\n\r"));
  std::optional<std::string> text = decoded(line, config.charset);
  wipe(printed);
  if (!text) {
    return transient(name + "prints what is no " + config.charset);
  }
  return text;
}

}  // namespace

ConfigFilterType external_filter_type() {
  return {"external", "org.apache.flume.configfilter.ExternalProcessConfigFilter",
          "Gives what a command prints: a password out of a store.",
          describe<ExternalFilterConfig>()};
}

std::optional<ConfigFilter> make_external_filter(std::string name, const PropertySection& keys,
                                                 Diagnostics& diagnostics) {
  std::optional<ExternalFilterConfig> config =
      bind<ExternalFilterConfig>(keys, diagnostics, common_nested_keys());
  if (!config) {
    return std::nullopt;
  }
  const auto known = std::make_shared<std::map<std::string, Value, std::less<>>>();
  return ConfigFilter{
      std::move(name), [config = std::move(*config), known](std::string_view key) -> Value {
        const auto place = known->find(key);
        return place != known->end() ? place->second
                                     : known->emplace(key, ask(config, key)).first->second;
      }};
}

}  // namespace millrace
