#include "source/exec/exec_config.h"

#include "config/charset.h"

namespace millrace {
namespace {

// True when line ends can be found in the bytes, without decoding them.
bool has_plain_line_ends(TextConverter& to_utf8) {
  const std::string_view sample = "a\nb\r";
  return to_utf8.convert(sample) == sample;
}

}  // namespace

void ExecConfig::check(ConfigCheck& check) const {
  if (split_words(command).empty()) {
    check.fault("command", "the command is empty");
  }
  if (is_utf8(charset)) {
    return;
  }
  auto converter = TextConverter::make(charset, "UTF-8");
  if (!converter.ok()) {
    check.fault("charset", converter.error().message());
  } else if (!has_plain_line_ends(converter.value())) {
    check.fault("charset",
                "its line ends are not single bytes; let the command convert its output, "
                "as with \"| iconv -t UTF-8\" in a shell");
  }
}

std::vector<std::string> ExecConfig::arguments() const {
  if (shell.empty()) {
    return split_words(command);
  }
  std::vector<std::string> arguments = split_words(shell);
  arguments.push_back(command);
  return arguments;
}

}  // namespace millrace
