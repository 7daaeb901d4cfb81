// The script for fish.
#include <fmt/format.h>

#include "cli/completion/completion_scripts.h"

namespace millrace {
namespace {

// Whether the words of the line that name the command are $argv.
constexpr std::string_view kHead =
    R"(# Completion of millrace for fish, written by `millrace completion fish`.
function __millrace_at
    set -l at
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case {}
                set at (string trim "$at $word")
            case '*'
                break
        end
    end
    test "$at" = "$argv"
end

)";

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  return out + "'";
}

// `-s n -l name`.
std::string names_of(const OptionDescription& option) {
  std::string text;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    text += fmt::format(" {} {}", is_long ? "-l" : "-s", name.substr(is_long ? 2 : 1));
  }
  return text;
}

// Of what a value may be: nothing to add for a flag, `-r` where files may be meant.
std::string value_of(const OptionDescription& option) {
  if (!option.words.empty()) {
    return fmt::format(" -x -a {}", fish_quoted(fmt::format("{}", fmt::join(option.words, " "))));
  }
  switch (option.value) {
    case OptionDescription::Value::kNone:
      return "";
    case OptionDescription::Value::kNumber:
      return " -x";
    case OptionDescription::Value::kText:
      return " -r -F";
  }
  return "";
}

std::string lines_of(const CommandDescription& command) {
  const std::string front = fmt::format("complete -c millrace -n {}",
                                        fish_quoted(fmt::format("__millrace_at {}", command.name)));
  std::string text;
  for (const CommandDescription& below : command.commands) {
    text += fmt::format("{} -f -a {} -d {}\n", front, fish_quoted(below.last_name()),
                        fish_quoted(below.brief));
  }
  for (const OptionDescription& option : command.options) {
    text += fmt::format("{}{}{} -d {}\n", front, names_of(option), value_of(option),
                        fish_quoted(option.help));
  }
  for (const OptionDescription& rest : command.rest) {
    if (!rest.words.empty()) {
      text += fmt::format("{} -f -a {}\n", front,
                          fish_quoted(fmt::format("{}", fmt::join(rest.words, " "))));
    }
  }
  if (command.commands.empty() && command.rest.empty()) {
    text += front + " -f\n";
  }
  return text;
}

}  // namespace

std::string fish_completion(const CommandDescription& program) {
  std::string script = fmt::format(kHead, step_patterns(program, " "));
  for_each_command(program,
                   [&](const CommandDescription& command) { script += lines_of(command); });
  return script;
}

}  // namespace millrace
