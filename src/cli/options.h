// Options of a command, named once each: parsed, checked and described from the same place. Keeps
// CLI11, which is slow to compile, in options.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/description.h"

namespace millrace {

// Targets keep their value when the option is not given: the default is written once, there, and is
// shown by --help. They outlive parse().
class Options {
 public:
  Options(const std::string& command, const std::string& summary);
  ~Options();

  // `names` as in "-N,--flows".
  void flag(const std::string& names, bool& target, const std::string& help);
  void text(const std::string& names, std::string& target, const std::string& help);
  void text(const std::string& names, std::optional<std::string>& target, const std::string& help);
  void choice(const std::string& names, std::string& target, std::vector<std::string> choices,
              const std::string& help);
  void number(const std::string& names, std::uint64_t& target, std::uint64_t low,
              std::uint64_t high, const std::string& help);
  void number(const std::string& names, double& target, double low, double high,
              const std::string& help);
  // May be given several times.
  void list(const std::string& names, std::vector<std::string>& target, const std::string& help);
  // Takes several values at once, at least `least`.
  void several(const std::string& names, std::vector<std::string>& target, int least,
               const std::string& help);
  // What carries no option's name; at least `least` of them.
  void rest(const std::string& name, std::vector<std::string>& target, std::size_t least,
            const std::string& help);
  // What rest() is one of, as far as completion is to know.
  void rest_words(std::vector<std::string> words);
  // Behind the options in --help.
  void footer(const std::string& text);

  // Nothing when the command is to go on; else its exit status: 0 after --help was printed to
  // stdout or the line has got its description, 2 after what is wrong was printed to stderr.
  std::optional<int> parse(const CommandLine& line);
  // Prints `message` as parse() does what it finds wrong; gives 2.
  int refuse(const std::string& message) const;
  std::string help() const;

 private:
  struct Parser;
  OptionDescription& describe(const std::string& names, const std::string& help,
                              OptionDescription::Value value);

  CommandDescription description_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace millrace
