// Goal: a pattern means what it means to java.util.regex. Method: what Java 17 answered to
// tests/golden/java-regex/corpus.txt, by tests/java_regex/Answers.java, is answered again.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "config/java_regex/java_regex.h"
#include "config/java_regex/subject.h"

namespace millrace {
namespace {

std::string decoded(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      bytes += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

std::string encoded(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && c != '%' && c != ',') {
      text += c;
    } else {
      text += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return text;
}

std::string groups_of(const JavaRegex& regex) {
  std::string text;
  for (std::uint32_t i = 0; i <= regex.groups(); ++i) {
    const auto group = regex.group(i);
    text += i == 0 ? "" : ",";
    text += group ? "=" + encoded(*group) : "~";
  }
  return text;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) {
    fields.push_back(field);
  }
  return fields;
}

// Patterns that only one of the two takes; docs/user/regular-expressions.md says why.
const std::set<std::string, std::less<>> kRefusedHere{
    "[a&&]",    "[a-z&&]",  "[a&&&b]",    "\\b{g}",    "\\N{LATIN SMALL LETTER A}",
    "(?<=a+)b", "(?<=a*)b", "(?<!\\R?)a", "(?x)\\x 41"};
const std::set<std::string, std::less<>> kTakenHere{"(?<=(?:a|bc){1,2})d", "(?x)a{ 2 , 3 }"};

class Answers {
 public:
  void line(const std::vector<std::string>& fields) {
    if (fields[0] == "p") {
      pattern(fields[1], fields[2]);
    } else if (regex_ && fields[0] == "t") {
      text(decoded(fields[1]), fields);
    } else if (regex_) {
      replacement(fields);
    }
  }
  std::size_t checked() const { return checked_; }

 private:
  void pattern(const std::string& pattern, const std::string& groups) {
    pattern_ = pattern;
    regex_.reset();
    Result<JavaRegex> compiled = JavaRegex::compile(decoded(pattern));
    const bool same = compiled.ok() == (groups != "refused");
    if (!same) {
      const auto& known = compiled.ok() ? kTakenHere : kRefusedHere;
      EXPECT_TRUE(known.contains(pattern))
          << pattern << ": Java: " << groups
          << ", here: " << (compiled.ok() ? "taken" : compiled.error().message());
    } else if (compiled.ok()) {
      EXPECT_EQ(std::to_string(compiled->groups()), groups) << pattern;
      regex_.emplace(std::move(compiled).value());
    }
  }
  void text(const std::string& text, const std::vector<std::string>& fields) {
    ++checked_;
    const std::string where = pattern_ + " on " + fields[1];
    EXPECT_EQ(regex_->matches(text) == RegexAnswer::kMatch, fields[2] == "1") << where;
    const RegexAnswer found = regex_->find(text);
    ASSERT_NE(found, RegexAnswer::kGaveUp) << where;
    EXPECT_EQ(found == RegexAnswer::kMatch ? groups_of(*regex_) : "no", fields[3]) << where;
  }
  void replacement(const std::vector<std::string>& fields) {
    const std::string where = pattern_ + " by " + fields[1] + " in " + fields[2];
    const std::string text = decoded(fields[2]);
    const auto replacement = regex_->replacement(decoded(fields[1]));
    if (!replacement.ok()) {  // Java finds out at the first match.
      EXPECT_TRUE(fields[3] == "refused" || regex_->find(text) == RegexAnswer::kNoMatch) << where;
      return;
    }
    std::string out = text;
    regex_->replace_all(text, *replacement, std::size_t{1} << 20, out);
    java_regex::Subject as_java;  // It replaces malformed bytes for good; here they stay.
    as_java.set(out);
    EXPECT_EQ("=" + encoded(as_java.text()), fields[3]) << where;
  }

  std::string pattern_;
  std::optional<JavaRegex> regex_;
  std::size_t checked_ = 0;
};

TEST(JavaRegexGoldenTest, AnswersAsJavaDid) {
  std::ifstream file(MILLRACE_SOURCE_DIR "/tests/golden/java-regex/answers.txt");
  Answers answers;
  for (std::string line; std::getline(file, line);) {
    answers.line(fields_of(line));
  }
  EXPECT_GT(answers.checked(), 10'000U);
}

}  // namespace
}  // namespace millrace
