#include "source/taildir/flat_json.h"

#include <fmt/core.h>

#include <charconv>
#include <utility>

#include "base/result.h"
#include "config/utf8.h"

namespace millrace {
namespace {

// One pass over the text. Each step says kCorrupt where it does not find what it needs.
class Reader {
 public:
  explicit Reader(std::string_view json) : json_(json) {}

  Result<> objects(std::vector<FlatObject>& out);

 private:
  Result<FlatObject> object();
  Result<> member(FlatObject& out);
  Result<std::string> text();
  Result<> escape(Utf16Appender& out);
  Result<std::int64_t> number();
  Result<> expect(char wanted);
  bool accept(char wanted);
  void skip_blanks();
  Error fault(std::string_view wanted) const {
    return corrupt(fmt::format("byte {}: {} expected", at_, wanted));
  }
  bool at_end() const { return at_ == json_.size(); }

  const std::string_view json_;
  std::size_t at_ = 0;
};

Result<> Reader::objects(std::vector<FlatObject>& out) {
  skip_blanks();
  if (at_end()) {
    return {};
  }
  TRY(expect('['));
  if (!accept(']')) {
    do {
      out.push_back(TRY(object()));
    } while (accept(','));
    TRY(expect(']'));
  }
  skip_blanks();
  return at_end() ? Result<>() : fault("the end");
}

Result<FlatObject> Reader::object() {
  FlatObject object;
  TRY(expect('{'));
  if (!accept('}')) {
    do {
      TRY(member(object));
    } while (accept(','));
    TRY(expect('}'));
  }
  return object;
}

Result<> Reader::member(FlatObject& out) {
  skip_blanks();
  std::string name = TRY(text());
  TRY(expect(':'));
  skip_blanks();
  if (!at_end() && json_[at_] == '"') {
    std::string value = TRY(text());
    out.texts[std::move(name)] = std::move(value);
  } else {
    const std::int64_t value = TRY(number());
    out.numbers[std::move(name)] = value;
  }
  return {};
}

Result<std::string> Reader::text() {
  if (at_end() || json_[at_] != '"') {
    return fault("a text");
  }
  ++at_;
  std::string value;
  for (; !at_end() && json_[at_] != '"'; ++at_) {
    if (json_[at_] != '\\') {
      value += json_[at_];
      continue;
    }
    Utf16Appender units(value);
    do {
      ++at_;
      TRY(escape(units));
    } while (json_.substr(at_).starts_with("\\"));
    units.finish();
    --at_;
  }
  if (at_end()) {
    return fault("the end of a text");
  }
  ++at_;
  return value;
}

// Behind the backslash; leaves the position behind the escape.
Result<> Reader::escape(Utf16Appender& out) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (at_end()) {
    return fault("an escape");
  }
  if (const std::size_t which = kNames.find(json_[at_]); which != std::string_view::npos) {
    out.unit(static_cast<unsigned char>(kMeanings[which]));
    ++at_;
    return {};
  }
  const std::string_view digits = json_.substr(at_ + 1, 4);
  unsigned unit = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, unit, 16);
  if (json_[at_] != 'u' || digits.size() != 4 || error != std::errc() || stop != end) {
    return fault("an escape");
  }
  out.unit(unit);
  at_ += 5;
  return {};
}

// Whole: what may go on behind the end of a cut text is none.
Result<std::int64_t> Reader::number() {
  std::int64_t value = 0;
  const char* const end = json_.data() + json_.size();
  const auto [stop, error] = std::from_chars(json_.data() + at_, end, value);
  if (error != std::errc() || stop == end) {
    return fault("a whole number");
  }
  at_ = static_cast<std::size_t>(stop - json_.data());
  return value;
}

Result<> Reader::expect(char wanted) {
  return accept(wanted) ? Result<>() : fault(fmt::format("'{}'", wanted));
}

bool Reader::accept(char wanted) {
  skip_blanks();
  if (at_end() || json_[at_] != wanted) {
    return false;
  }
  ++at_;
  return true;
}

void Reader::skip_blanks() {
  at_ = std::min(json_.find_first_not_of(" \t\r\n", at_), json_.size());
}

}  // namespace

std::optional<std::int64_t> FlatObject::number(std::string_view name) const {
  const auto found = numbers.find(name);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

const std::string* FlatObject::text(std::string_view name) const {
  const auto found = texts.find(name);
  return found == texts.end() ? nullptr : &found->second;
}

FlatObjects read_flat_objects(std::string_view json) {
  FlatObjects read;
  if (const Result<> whole = Reader(json).objects(read.objects); !whole.ok()) {
    read.damage = whole.error().message();
  }
  return read;
}

void append_json_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace millrace
