// The script for bash.
#include <fmt/format.h>

#include "cli/completion/completion_scripts.h"

namespace millrace {
namespace {

// The words of the line that name the command end up in `at`. Where COMPREPLY stays empty, bash
// completes the names of files.
constexpr std::string_view kHead =
    R"(# Completion of millrace for bash, written by `millrace completion bash`.
_millrace_words() {{
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
  compopt +o default 2> /dev/null
}}

_millrace() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} at= i
  if [[ $cur == = ]]; then
    cur=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at ${{COMP_WORDS[i]}}" in
      {}) at=${{at:+$at }}${{COMP_WORDS[i]}} ;;
      *) break ;;
    esac
  done
  COMPREPLY=()
  case $at in
)";
constexpr std::string_view kEnd = R"(  esac
}

complete -o default -F _millrace millrace
)";

// A list for `compgen -W`, which expands it once more.
std::string word_list(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) {
    list += list.empty() ? "" : " ";
    for (const char c : word) {
      const bool is_special = std::string_view("$\\`'\"").find(c) != std::string_view::npos;
      list += is_special ? std::string{'\\', c} : std::string(1, c);
    }
  }
  return shell_quoted(list);
}

std::string case_of_values(const CommandDescription& command) {
  std::string cases;
  for (const OptionDescription& option : command.options) {
    const bool is_number = option.value == OptionDescription::Value::kNumber;
    if (is_number || !option.words.empty()) {
      cases += fmt::format("        {}) _millrace_words {}; return ;;\n",
                           fmt::join(option.names, " | "), word_list(option.words));
    } else if (option.value == OptionDescription::Value::kText) {
      cases += fmt::format("        {}) return ;;\n", fmt::join(option.names, " | "));
    }
  }
  return cases.empty() ? "" : fmt::format("      case $before in\n{}      esac\n", cases);
}

std::string case_of(const CommandDescription& command) {
  std::string text = fmt::format("    {})\n", shell_quoted(command.name));
  if (!command.commands.empty()) {
    std::vector<std::string> names;
    for (const CommandDescription& below : command.commands) {
      names.push_back(below.last_name());
    }
    return text + fmt::format("      _millrace_words {} ;;\n", word_list(names));
  }
  std::vector<std::string> options;
  for (const OptionDescription& option : command.options) {
    options.insert(options.end(), option.names.begin(), option.names.end());
  }
  text += case_of_values(command);
  text += fmt::format("      if [[ $cur == -* ]]; then\n        _millrace_words {}\n",
                      word_list(options));
  if (command.rest.empty() || !command.rest.front().words.empty()) {
    text += fmt::format(
        "      else\n        _millrace_words {}\n",
        word_list(command.rest.empty() ? std::vector<std::string>() : command.rest.front().words));
  }
  return text + "      fi ;;\n";
}

}  // namespace

std::string bash_completion(const CommandDescription& program) {
  std::string script = fmt::format(kHead, step_patterns(program, " | "));
  for_each_command(program, [&](const CommandDescription& command) { script += case_of(command); });
  return script.append(kEnd);
}

}  // namespace millrace
