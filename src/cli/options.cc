#include "cli/options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/cli.h"

namespace millrace {

struct Options::Parser {
  CLI::App app;
};

Options::Options(const std::string& command, const std::string& summary)
    : command_(command), parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.name("millrace " + command);
  app.description(summary);
  app.set_help_flag("-h,--help", "Print this and exit.");
  app.get_formatter()->column_width(34);
}

Options::~Options() = default;

void Options::flag(const std::string& names, bool& target, const std::string& help) {
  parser_->app.add_flag(names, target, help);
}

void Options::text(const std::string& names, std::string& target, const std::string& help) {
  parser_->app.add_option(names, target, help)->capture_default_str();
}

void Options::text(const std::string& names, std::optional<std::string>& target,
                   const std::string& help) {
  parser_->app.add_option(names, target, help);
}

void Options::choice(const std::string& names, std::string& target,
                     std::vector<std::string> choices, const std::string& help) {
  parser_->app.add_option(names, target, help)
      ->check(CLI::IsMember(std::move(choices)))
      ->capture_default_str();
}

void Options::number(const std::string& names, std::uint64_t& target, std::uint64_t low,
                     std::uint64_t high, const std::string& help) {
  parser_->app.add_option(names, target, help)
      ->check(CLI::Range(low, high, fmt::format("{}..{}", low, high)))
      ->capture_default_str();
}

void Options::number(const std::string& names, double& target, double low, double high,
                     const std::string& help) {
  parser_->app.add_option(names, target, help)
      ->check(CLI::Range(low, high, fmt::format("{}..{}", low, high)))
      ->capture_default_str();
}

void Options::list(const std::string& names, std::vector<std::string>& target,
                   const std::string& help) {
  parser_->app.add_option(names, target, help)->allow_extra_args(false);
}

void Options::rest(const std::string& name, std::vector<std::string>& target, std::size_t least,
                   const std::string& help) {
  CLI::Option* option = parser_->app.add_option(name, target, help);
  if (least > 0) {
    option->required();
  }
}

void Options::footer(const std::string& text) {
  parser_->app.footer(text);
}

std::optional<int> Options::parse(const std::vector<std::string>& arguments) {
  try {
    // CLI11 takes them from the back.
    parser_->app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", help());
    return kDone;
  } catch (const CLI::ParseError& error) {
    return refuse(error.what());
  }
  return std::nullopt;
}

int Options::refuse(const std::string& message) const {
  fmt::print(stderr, "millrace {0}: {1}\nSee `millrace {0} --help`.\n", command_, message);
  return kBadUsage;
}

std::string Options::help() const {
  return parser_->app.help();
}

}  // namespace millrace
