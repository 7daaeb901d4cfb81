// What commands take, as data: completion scripts and man pages are made of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace millrace {

struct OptionDescription {
  enum class Value { kNone, kNumber, kText };  // A text may name a file where there are no `words`.

  std::vector<std::string> names;  // "-n", "--name"; of what carries no name: "FILE".
  std::string help;
  Value value = Value::kNone;
  std::vector<std::string> words;  // What the value is one of.
  std::string range;               // "1 to 65535".
  std::string default_text;
  bool repeats = false;
};

struct CommandDescription {
  std::string name;     // "channel show"; of the program itself: empty.
  std::string brief;    // As in the overview: "List file channels."
  std::string summary;  // Above the options: "Lists file channels."
  std::vector<OptionDescription> options;
  std::vector<OptionDescription> rest;  // What carries no option's name; none or one.
  std::string footer;
  std::vector<CommandDescription> commands;  // "ls", "show"; each by its whole name.

  // "show" of "channel show".
  std::string last_name() const { return name.substr(name.rfind(' ') + 1); }
};

// Calls `visit` for `command` and all below it, each before its own.
void for_each_command(const CommandDescription& command,
                      const std::function<void(const CommandDescription&)>& visit);

// The program with all its commands, as they describe themselves.
CommandDescription describe_program();

}  // namespace millrace
