#include "cli/options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "cli/cli.h"
#include "config/nearest_name.h"

namespace millrace {
namespace {

// Takes a decimal number within the bounds, and hands it on without leading zeros, which CLI11
// would take for octal.
template <class Number>
CLI::Validator between(Number low, Number high, std::string_view what) {
  const auto read = [=](std::string& text) -> std::string {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end || !(number >= low && number <= high)) {
      return fmt::format("\"{}\" is no {} from {} to {}", text, what, low, high);
    }
    text = fmt::format("{}", number);
    return {};
  };
  return {read, fmt::format("{}..{}", low, high)};
}

CLI::Validator one_of(std::vector<std::string> choices) {
  const std::string list = CLI::detail::join(choices, ", ");
  const auto read = [choices = std::move(choices), list](const std::string& text) -> std::string {
    const bool known = std::find(choices.begin(), choices.end(), text) != choices.end();
    return known ? "" : fmt::format("\"{}\" is none of {}", text, list);
  };
  return {read, "{" + list + "}"};
}

// The first argument that nothing takes, by its kind.
std::string say_unexpected(const CLI::App& app, const std::string& argument) {
  if (!argument.starts_with('-')) {
    return fmt::format("\"{}\" is one word too many", argument);
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  const std::string_view name = std::string_view(argument).substr(0, argument.find('='));
  const std::string hint =
      did_you_mean(nearest_name(name, std::vector<std::string_view>(names.begin(), names.end())));
  return fmt::format("there is no option {}{}{}", name, hint.empty() ? "" : "; ", hint);
}

// CLI11 counts: "--name: 1 required TEXT missing", "--name: At Most 1 required but received 2".
std::string say_miscounted(std::string_view message) {
  const std::string_view name = message.substr(0, message.find(':'));
  return fmt::format("{} {}", name,
                     message.ends_with("missing") ? "needs a value" : "is given more than once");
}

using Value = OptionDescription::Value;

}  // namespace

struct Options::Parser {
  CLI::App app;
};

Options::Options(const std::string& command, const std::string& summary)
    : description_{.name = command, .summary = summary}, parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.name("millrace " + command);
  app.description(summary);
  app.set_help_flag("-h,--help", "Print this and exit.");
  app.get_formatter()->column_width(34);
  describe("-h,--help", "Print this and exit.", Value::kNone);
}

Options::~Options() = default;

OptionDescription& Options::describe(const std::string& names, const std::string& help,
                                     Value value) {
  OptionDescription& option = description_.options.emplace_back();
  option.names = CLI::detail::split(names, ',');
  option.help = help;
  option.value = value;
  return option;
}

void Options::flag(const std::string& names, bool& target, const std::string& help) {
  parser_->app.add_flag(names, target, help);
  describe(names, help, Value::kNone);
}

void Options::text(const std::string& names, std::string& target, const std::string& help) {
  parser_->app.add_option(names, target, help)->capture_default_str();
  describe(names, help, Value::kText).default_text = target;
}

void Options::text(const std::string& names, std::optional<std::string>& target,
                   const std::string& help) {
  parser_->app.add_option(names, target, help);
  describe(names, help, Value::kText);
}

void Options::choice(const std::string& names, std::string& target,
                     std::vector<std::string> choices, const std::string& help) {
  OptionDescription& option = describe(names, help, Value::kText);
  option.words = choices;
  option.default_text = target;
  parser_->app.add_option(names, target, help)
      ->check(one_of(std::move(choices)))
      ->capture_default_str();
}

void Options::number(const std::string& names, std::uint64_t& target, std::uint64_t low,
                     std::uint64_t high, const std::string& help) {
  parser_->app.add_option(names, target, help)
      ->transform(between(low, high, "whole number"))
      ->capture_default_str();
  OptionDescription& option = describe(names, help, Value::kNumber);
  option.range = fmt::format("{} to {}", low, high);
  option.default_text = fmt::format("{}", target);
}

void Options::number(const std::string& names, double& target, double low, double high,
                     const std::string& help) {
  parser_->app.add_option(names, target, help)
      ->transform(between(low, high, "number"))
      ->capture_default_str();
  OptionDescription& option = describe(names, help, Value::kNumber);
  option.range = fmt::format("{} to {}", low, high);
  option.default_text = fmt::format("{}", target);
}

void Options::list(const std::string& names, std::vector<std::string>& target,
                   const std::string& help) {
  parser_->app.add_option(names, target, help)->allow_extra_args(false);
  describe(names, help, Value::kText).repeats = true;
}

void Options::several(const std::string& names, std::vector<std::string>& target, int least,
                      const std::string& help) {
  parser_->app.add_option(names, target, help)
      ->expected(least, CLI::detail::expected_max_vector_size);
  describe(names, help, Value::kText).repeats = true;
}

void Options::rest(const std::string& name, std::vector<std::string>& target, std::size_t least,
                   const std::string& help) {
  CLI::Option* option = parser_->app.add_option(name, target, help);
  if (least > 0) {
    option->required();
  }
  description_.rest = {{.names = {name}, .help = help, .value = Value::kText, .repeats = true}};
}

void Options::rest_words(std::vector<std::string> words) {
  description_.rest.front().words = std::move(words);
}

void Options::footer(const std::string& text) {
  parser_->app.footer(text);
  description_.footer = text;
}

std::optional<int> Options::parse(const CommandLine& line) {
  if (line.describe != nullptr) {
    *line.describe = description_;
    return kDone;
  }
  CLI::App& app = parser_->app;
  try {
    // CLI11 takes them from the back.
    app.parse(std::vector<std::string>(line.arguments.rbegin(), line.arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", help());
    return kDone;
  } catch (const CLI::ArgumentMismatch& error) {
    return refuse(say_miscounted(error.what()));
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> unexpected = app.remaining();
    return refuse(unexpected.empty() ? error.what() : say_unexpected(app, unexpected.front()));
  }
  return std::nullopt;
}

int Options::refuse(const std::string& message) const {
  fmt::print(stderr, "millrace {0}: {1}\nSee `millrace {0} --help`.\n", description_.name, message);
  return kBadUsage;
}

std::string Options::help() const {
  return parser_->app.help();
}

}  // namespace millrace
