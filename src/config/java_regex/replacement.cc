#include "config/java_regex/replacement.h"

namespace millrace {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class ReplacementReader {
 public:
  ReplacementReader(std::string_view text, std::uint32_t groups,
                    const JavaReplacement::Names& names)
      : rest_(text), groups_(groups), names_(names) {}

  Result<std::vector<JavaReplacement::Piece>> read() {
    while (!rest_.empty()) {
      const char c = take();
      if (c == '$') {
        const std::uint32_t group = TRY(reference());
        pieces_.push_back({"", true, group});
      } else if (c != '\\') {
        add(c);
      } else if (rest_.empty()) {
        return bad_config("nothing behind the backslash at the end");
      } else {
        add(take());
      }
    }
    return std::move(pieces_);
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  void add(char c) {
    if (pieces_.empty() || pieces_.back().is_group) {
      pieces_.emplace_back();
    }
    pieces_.back().text += c;
  }
  Result<std::uint32_t> reference();
  Result<std::uint32_t> named();

  std::string_view rest_;
  const std::uint32_t groups_;
  const JavaReplacement::Names& names_;
  std::vector<JavaReplacement::Piece> pieces_;
};

// Takes further digits as long as there are so many groups.
Result<std::uint32_t> ReplacementReader::reference() {
  if (rest_.starts_with('{')) {
    return named();
  }
  if (rest_.empty() || !is_digit(rest_.front())) {
    return bad_config("$ is not followed by a group's number or {name}; a $ itself is \\$");
  }
  auto group = static_cast<std::uint32_t>(take() - '0');
  if (group > groups_) {
    return bad_config("there is no group " + std::to_string(group) + "; the pattern has " +
                      std::to_string(groups_));
  }
  while (!rest_.empty() && is_digit(rest_.front())) {
    const std::uint32_t longer = group * 10 + static_cast<std::uint32_t>(rest_.front() - '0');
    if (longer > groups_) {
      break;
    }
    group = longer;
    take();
  }
  return group;
}

Result<std::uint32_t> ReplacementReader::named() {
  take();
  std::string name;
  while (!rest_.empty() && (is_letter(rest_.front()) || is_digit(rest_.front()))) {
    name += take();
  }
  if (name.empty() || rest_.empty() || take() != '}') {
    return bad_config("${ is not followed by a group's name and }");
  }
  const auto found = names_.find(name);
  if (found == names_.end()) {
    return bad_config("no group is named \"" + name + "\"");
  }
  return found->second;
}

}  // namespace

Result<JavaReplacement> JavaReplacement::compile(std::string_view text, std::uint32_t groups,
                                                 const Names& names) {
  JavaReplacement replacement;
  replacement.pieces_ = TRY(ReplacementReader(text, groups, names).read());
  return replacement;
}

}  // namespace millrace
