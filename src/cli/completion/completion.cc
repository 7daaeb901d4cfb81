// `millrace completion`: what a shell completes commands, options and names with.
#include <fmt/core.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/completion/completion_scripts.h"
#include "cli/options.h"

namespace millrace {

int run_completion(const CommandLine& line) {
  const std::map<std::string, std::string (*)(const CommandDescription&)> scripts{
      {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};
  std::vector<std::string> shells;
  Options options("completion", "Prints a completion script for a shell.");
  options.rest("SHELL", shells, 1, "bash, fish or zsh.");
  options.rest_words({"bash", "fish", "zsh"});
  options.footer(
      "  bash  source <(millrace completion bash), in ~/.bashrc\n"
      "  zsh   source <(millrace completion zsh), in ~/.zshrc behind compinit\n"
      "  fish  millrace completion fish | source, in ~/.config/fish/config.fish");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  const auto script = scripts.find(shells.front());
  if (shells.size() != 1 || script == scripts.end()) {
    return options.refuse("SHELL is one of bash, fish, zsh");
  }
  fmt::print("{}", script->second(describe_program()));
  return kDone;
}

}  // namespace millrace
