// The scripts, in the shells that they are for where these are installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "cli/cli.h"
#include "cli/completion/completion_scripts.h"
#include "cli/component_families.h"
#include "io/temp_folder.h"

namespace millrace {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::vector<std::string>;

class CompletionTest : public testing::Test {
 protected:
  std::string script_of(const std::string& shell) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(run_program({"completion", shell}), kDone);
    std::string script = testing::internal::GetCapturedStdout();
    std::ofstream(temp / shell) << script;
    return script;
  }
  static bool is_installed(const std::string& shell) {
    return std::system(("command -v " + shell + " > /dev/null").c_str()) == 0;
  }
  // What the program prints, errors too; each line a word.
  static Words lines_of(const std::string& command) {
    std::string text;
    FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::array<char, 4096> part{};
    for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
      text.append(part.data(), got);
    }
    ::pclose(pipe);
    std::istringstream stream(text);
    Words lines;
    for (std::string line; std::getline(stream, line);) {
      lines.push_back(line);
    }
    return lines;
  }
  // What bash would offer for the last of `words`.
  Words bash_offers(const Words& words) {
    script_of("bash");
    std::string line = "COMP_WORDS=(";
    for (const std::string& word : words) {
      line += " " + shell_quoted(word);
    }
    std::ofstream(temp / "run.sh") << "set -u; . " << (temp / "bash").string() << "\n"
                                   << line << ")\nCOMP_CWORD=" << words.size() - 1
                                   << "\n_millrace\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    Words offers = lines_of("bash " + (temp / "run.sh").string());
    std::erase(offers, "");
    return offers;
  }

  TempFolder temp;
};

TEST_F(CompletionTest, BashOffersCommandsAndOptions) {
  EXPECT_THAT(bash_offers({"millrace", "ch"}), ElementsAre("check", "channel"));
  EXPECT_THAT(bash_offers({"millrace", "channel", "ex"}), ElementsAre("export"));
  EXPECT_THAT(bash_offers({"millrace", "dead-letter", ""}), ElementsAre("ls", "show", "replay"));
  EXPECT_THAT(bash_offers({"millrace", "tool", ""}), ElementsAre("fcintegritytool"));
  EXPECT_THAT(bash_offers({"millrace", "channel", "export", "--f"}), ElementsAre("--format"));
  EXPECT_THAT(bash_offers({"millrace", "verify", "x", "--s"}), ElementsAre("--sent", "--start"));
  EXPECT_THAT(bash_offers({"millrace", "nonsense", "channel", "exp"}), IsEmpty());
}

TEST_F(CompletionTest, BashOffersValuesAndLeavesFilesToTheShell) {
  EXPECT_THAT(bash_offers({"millrace", "check", "--explain", ""}), ElementsAre("text", "dot"));
  EXPECT_THAT(bash_offers({"millrace", "check", "--explain", "=", "d"}), ElementsAre("dot"));
  EXPECT_THAT(bash_offers({"millrace", "check", "--explain", "="}), ElementsAre("text", "dot"));
  EXPECT_THAT(bash_offers({"millrace", "completion", ""}), ElementsAre("bash", "fish", "zsh"));
  EXPECT_THAT(bash_offers({"millrace", "help", "vers"}), ElementsAre("version"));
  EXPECT_THAT(bash_offers({"millrace", "components", "netcat"}),
              ElementsAre("netcat", "netcatudp"));
  EXPECT_THAT(bash_offers({"millrace", "schema", ""}),
              testing::UnorderedElementsAreArray(component_names()));
  EXPECT_THAT(bash_offers({"millrace", "check", "fl"}), IsEmpty());
  EXPECT_THAT(bash_offers({"millrace", "agent", "-f", "-"}), IsEmpty());
  EXPECT_THAT(lines_of("bash -c '. " + (temp / "bash").string() + "; complete -p millrace'"),
              ElementsAre("complete -o default -F _millrace millrace"));
}

// Words go through two expansions on their way to compgen.
TEST_F(CompletionTest, NoWordIsExpanded) {
  CommandDescription program;
  program.commands = {{.name = "it's", .summary = "An odd one: [x] $HOME."}};
  program.commands[0].options = {{.names = {"--pick"},
                                  .help = "It's `one`.",
                                  .value = OptionDescription::Value::kText,
                                  .words = {"a$HOME", "b`id`", "c'd", "e\\f"}}};
  std::ofstream(temp / "bash") << bash_completion(program);
  EXPECT_THAT(lines_of("bash -c '. " + (temp / "bash").string() +
                       "; COMP_WORDS=(millrace \"it'\\''s\" --pick \"\") COMP_CWORD=3; "
                       "_millrace; printf \"%s\\n\" \"${COMPREPLY[@]}\"'"),
              ElementsAre("a$HOME", "b`id`", "c'd", "e\\f"));
}

TEST_F(CompletionTest, EachScriptNamesAllCommandsAndOptions) {
  const CommandDescription program = describe_program();
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = script_of(shell);
    for_each_command(program, [&](const CommandDescription& command) {
      for (const OptionDescription& option : command.options) {
        for (const std::string& name : option.names) {
          const bool is_long = name.starts_with("--");
          EXPECT_THAT(script, HasSubstr(shell == "fish" ? (is_long ? "-l " : "-s ") +
                                                              name.substr(is_long ? 2 : 1)
                                                        : name))
              << shell << ": " << command.name;
        }
      }
    });
  }
}

TEST_F(CompletionTest, ZshReadsItsScript) {
  const std::string script = script_of("zsh");
  EXPECT_TRUE(script.starts_with("#compdef millrace\n"));
  EXPECT_THAT(script,
              HasSubstr("'(--explain)--explain=[Print the graph alone\\: a tree, or DOT for "
                        "Graphviz; findings go to stderr.]:value:(text dot)'"));
  EXPECT_THAT(script, HasSubstr("'*:FILE:_files'"));
  if (!is_installed("zsh")) {
    GTEST_SKIP() << "zsh is not installed";
  }
  EXPECT_THAT(lines_of("zsh -n " + (temp / "zsh").string()), IsEmpty());
  // zsh's own helpers, as they are called.
  std::ofstream(temp / "run.zsh")
      << "compdef() {}\n_arguments() { print -rl -- $words $CURRENT \"$@\" }\n"
         "_describe() { print -rl -- $commands }\n. "
      << (temp / "zsh").string()
      << "\nwords=(millrace channel show x) CURRENT=4\n_millrace\n"
         "words=(millrace channel '') CURRENT=3\n_millrace\n";
  const Words called = lines_of("zsh -f " + (temp / "run.zsh").string());
  ASSERT_GE(called.size(), 3U);
  EXPECT_THAT(Words(called.begin(), called.begin() + 3), ElementsAre("millrace", "x", "2"));
  EXPECT_THAT(called, Contains("(--json)--json[JSON on stdout\\: a list of channels.]"));
  EXPECT_THAT(called, Contains("forget:Give up a data dir that is gone for good."));
}

TEST_F(CompletionTest, FishOffersWhatItsScriptSays) {
  script_of("fish");
  if (!is_installed("fish")) {
    GTEST_SKIP() << "fish is not installed";
  }
  const auto offers = [&](const std::string& line) {
    Words words = lines_of("HOME=" + temp.path().string() + " fish --no-config -c 'source " +
                           (temp / "fish").string() + "; complete -C \"millrace " + line + "\"'");
    for (std::string& word : words) {
      word = word.substr(0, word.find('\t'));
    }
    return words;
  };
  EXPECT_THAT(offers("ch"), ElementsAre("channel", "check"));
  EXPECT_THAT(offers("channel ex"), ElementsAre("export"));
  EXPECT_THAT(offers("check --explain "), ElementsAre("dot", "text"));
  EXPECT_THAT(offers("check --exp"), ElementsAre("--explain"));
  EXPECT_THAT(offers("components netcat"), ElementsAre("netcat", "netcatudp"));
  EXPECT_THAT(offers("version "), IsEmpty());
  EXPECT_THAT(offers("check " + temp.path().string() + "/f"),
              ElementsAre(temp.path().string() + "/fish"));
}

TEST_F(CompletionTest, RefusesOtherShells) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_program({"completion", "csh"}), kBadUsage);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("SHELL is one of bash, fish, zsh"));
}

}  // namespace
}  // namespace millrace
