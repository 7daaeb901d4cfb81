// One described option: its key, where its value goes, and all that is said about it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

namespace millrace {

// A size whose key is given in bytes.
struct ByteCount {
  std::uint64_t value = 0;
  friend bool operator==(const ByteCount&, const ByteCount&) = default;
};

// Lowest and highest value that is accepted, in the key's unit.
struct FieldRange {
  bool is_set = false;
  std::int64_t low = 0;
  std::int64_t high = 0;
  double low_real = 0;  // The same, for members of type double.
  double high_real = 0;
};

// What a field says of itself, whatever the type of its member. Texts are literals.
struct FieldMarks {
  static constexpr std::size_t kMostChoices = 24;

  std::string_view key;
  std::string_view help;
  std::string_view example;
  std::string_view ignored;     // Why the key has no effect; empty = it has one.
  std::string_view deprecated;  // What to use in its place; empty = nothing.
  FieldRange range;
  std::array<std::string_view, kMostChoices> choices{};
  std::size_t choice_count = 0;
  bool is_required = false;
  bool is_secret = false;
  bool is_lenient = false;
};

// `C` is the config struct, or a base of it whose fields are shared by several components.
template <class C, class T>
struct Field {
  T C::*member;
  FieldMarks marks;

  // A component without this key is an error.
  constexpr Field required() const {
    Field field = *this;
    field.marks.is_required = true;
    return field;
  }
  // Both bounds are accepted; in the key's unit.
  template <class Low, class High>
  constexpr Field range(Low low, High high) const {
    static_assert(std::is_arithmetic_v<Low> && std::is_arithmetic_v<High>);
    Field field = *this;
    field.marks.range = {true, static_cast<std::int64_t>(low), static_cast<std::int64_t>(high),
                         static_cast<double>(low), static_cast<double>(high)};
    return field;
  }
  // Matched in any case; the member gets the spelling given here. For a list: each word.
  constexpr Field choices(std::initializer_list<std::string_view> values) const {
    Field field = *this;
    field.marks.choice_count = 0;
    for (const std::string_view value : values) {
      field.marks.choices.at(field.marks.choice_count++) = value;
    }
    return field;
  }
  // Its value is never printed.
  constexpr Field secret() const {
    Field field = *this;
    field.marks.is_secret = true;
    return field;
  }
  // A value for the reference page.
  constexpr Field example(std::string_view text) const {
    Field field = *this;
    field.marks.example = text;
    return field;
  }
  // A bad value is a warning, and the default is used, as Flume does for some keys.
  constexpr Field lenient() const {
    Field field = *this;
    field.marks.is_lenient = true;
    return field;
  }
  // Accepted without effect; `why` is part of the warning.
  constexpr Field ignored(std::string_view why) const {
    Field field = *this;
    field.marks.ignored = why;
    return field;
  }
  // Works, with a warning that says what to use: `use "port"`.
  constexpr Field deprecated(std::string_view use) const {
    Field field = *this;
    field.marks.deprecated = use;
    return field;
  }
};

// `help` is one sentence for the reference page. A map or a PropertySection takes every key that
// begins with `key`: "mapping.".
template <class C, class T>
constexpr Field<C, T> field(std::string_view key, T C::*member, std::string_view help) {
  Field<C, T> made{member, {}};
  made.marks.key = key;
  made.marks.help = help;
  return made;
}

}  // namespace millrace
