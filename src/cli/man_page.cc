#include "cli/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/cli.h"

namespace millrace {
namespace {

// Text of a line, every letter of it as it stands.
std::string roff(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fP";
}

std::string italic(std::string_view text) {
  return "\\fI" + roff(text) + "\\fP";
}

// An indented line: a word and, behind a gap, what it means; or else a line that stands alone.
std::string indented(std::string_view line) {
  const std::size_t gap = line.find("  ");
  if (gap == std::string_view::npos) {
    return fmt::format(".br\n{}\n", roff(line));
  }
  const std::string_view meaning = line.substr(line.find_first_not_of(' ', gap));
  return fmt::format(".TP\n{}\n{}\n", bold(line.substr(0, gap)), roff(meaning));
}

// Other lines flow together, as wide as the reader's terminal.
std::string paragraph(std::string_view text) {
  std::string out;
  bool was_indented = false;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const bool is_indented = line.starts_with(' ');
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.empty()) {
      out += was_indented && !is_indented ? ".PP\n" : "";
      out += is_indented ? indented(line) : roff(line) + "\n";
      was_indented = is_indented;
    }
  }
  return out;
}

std::string_view without_stop(std::string_view sentence) {
  return sentence.ends_with('.') ? sentence.substr(0, sentence.size() - 1) : sentence;
}

// "millrace-channel(1)".
std::string reference(const CommandDescription& command) {
  return bold(man_page_name(command)) + "(1)";
}

std::string value_of(const OptionDescription& option) {
  using Value = OptionDescription::Value;
  if (!option.words.empty()) {
    return fmt::format(" {}", roff(fmt::format("{}", fmt::join(option.words, "|"))));
  }
  return option.value == Value::kNone
             ? ""
             : " " + italic(option.value == Value::kNumber ? "NUMBER" : "TEXT");
}

std::string entry_of(const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += (names.empty() ? "" : ", ") + bold(name);
  }
  std::string text = fmt::format(".TP\n{}{}\n{}\n", names, value_of(option), roff(option.help));
  if (!option.range.empty()) {
    text += roff(option.range) + ".\n";
  }
  if (!option.default_text.empty()) {
    text += fmt::format("Default: {}.\n", roff(option.default_text));
  }
  return text;
}

std::string synopsis(const CommandDescription& command) {
  std::string text = bold(command.name.empty() ? "millrace" : "millrace " + command.name);
  if (!command.commands.empty()) {
    text += " " + italic("COMMAND");
  }
  text += " [" + italic("OPTIONS") + "]";
  for (const OptionDescription& rest : command.rest) {
    text += fmt::format(" [{} ...]", italic(rest.names.front()));
  }
  return text + "\n";
}

std::string options_of(const CommandDescription& command) {
  std::string text;
  for (const OptionDescription& rest : command.rest) {
    text += fmt::format(".TP\n{}\n{}\n", italic(rest.names.front()), roff(rest.help));
  }
  for (const OptionDescription& option : command.options) {
    text += entry_of(option);
  }
  return text.empty() ? "" : ".SH OPTIONS\n" + text;
}

std::string commands_of(const CommandDescription& command) {
  std::string text;
  for (const CommandDescription& below : command.commands) {
    text += fmt::format(".TP\n{}\n{}", reference(below), paragraph(below.brief));
  }
  return text.empty() ? "" : ".SH COMMANDS\n" + text;
}

}  // namespace

std::string man_page_name(const CommandDescription& command) {
  std::string name = command.name.empty() ? "millrace" : "millrace " + command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string man_page(const CommandDescription& command, const CommandDescription& program) {
  const std::string name = man_page_name(command);
  std::string text = fmt::format(
      ".\\\" Written by `millrace help --man`.\n"
      ".TH {} 1 \"\" \"Millrace {}\" \"Millrace\"\n"
      ".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}.SH DESCRIPTION\n{}",
      roff(name), kVersion, roff(name), roff(without_stop(command.brief)), synopsis(command),
      paragraph(command.summary));
  if (!command.footer.empty()) {
    text += ".PP\n" + paragraph(command.footer);
  }
  text += options_of(command) + commands_of(command);
  text +=
      ".SH EXIT STATUS\n"
      "0 done, 1 failed at work, 2 bad usage, 78 bad configuration.\n";
  if (&command != &program) {
    text += ".SH SEE ALSO\n" + reference(program) + "\n";
  }
  return text;
}

}  // namespace millrace
