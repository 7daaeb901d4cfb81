// The script for zsh.
#include <fmt/format.h>

#include "cli/completion/completion_scripts.h"

namespace millrace {
namespace {

// The words of the line that name the command end up in `at`; `words` keeps what is behind them.
constexpr std::string_view kHead = R"(#compdef millrace
# Completion of millrace for zsh, written by `millrace completion zsh`.
_millrace() {{
  local at= i=2
  while (( i < CURRENT )); do
    case "$at ${{words[i]}}" in
      {}) at="${{at:+$at }}${{words[i]}}" ;;
      *) break ;;
    esac
    (( i++ ))
  done
  words=(millrace "${{(@)words[i,-1]}}")
  (( CURRENT -= i - 2 ))
  local -a commands
  case $at in
)";
constexpr std::string_view kEnd = R"(  esac
}

if [[ ${funcstack[1]} == _millrace ]]; then
  _millrace "$@"
else
  compdef _millrace millrace
fi
)";

// Letters that mean something in a specification get a backslash.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    out += special.find(c) == std::string_view::npos ? std::string(1, c) : std::string{'\\', c};
  }
  return out;
}

std::string action_of(const OptionDescription& option) {
  std::string words;
  for (const std::string& word : option.words) {
    words += (words.empty() ? "" : " ") + escaped(word, R"(\ ()$:)");
  }
  const bool is_number = option.value == OptionDescription::Value::kNumber;
  return words.empty() ? is_number ? " " : "_files" : "(" + words + ")";
}

// One of an option's names.
std::string specification(const OptionDescription& option, const std::string& name) {
  std::string others;
  for (const std::string& other : option.names) {
    others += (others.empty() ? "" : " ") + other;
  }
  const bool has_value = option.value != OptionDescription::Value::kNone;
  std::string text = option.repeats ? "*" : "(" + others + ")";
  text += name + (has_value && name.starts_with("--") ? "=" : "");
  text += "[" + escaped(option.help, R"([]:\)") + "]";
  if (has_value) {
    text += ":value:" + action_of(option);
  }
  return shell_quoted(text);
}

std::string case_of(const CommandDescription& command) {
  std::string text = fmt::format("    {})\n", shell_quoted(command.name));
  if (!command.commands.empty()) {
    for (const CommandDescription& below : command.commands) {
      text += fmt::format("      commands+=({})\n",
                          shell_quoted(below.last_name() + ":" + below.brief));
    }
    return text + "      _describe command commands ;;\n";
  }
  text += "      _arguments";
  for (const OptionDescription& option : command.options) {
    for (const std::string& name : option.names) {
      text += " \\\n        " + specification(option, name);
    }
  }
  for (const OptionDescription& rest : command.rest) {
    text +=
        " \\\n        " + shell_quoted(fmt::format("*:{}:{}", rest.names.front(), action_of(rest)));
  }
  return text + " ;;\n";
}

}  // namespace

std::string zsh_completion(const CommandDescription& program) {
  std::string script = fmt::format(kHead, step_patterns(program, " | "));
  for_each_command(program, [&](const CommandDescription& command) { script += case_of(command); });
  return script.append(kEnd);
}

}  // namespace millrace
