// The keys of one component as a configuration file gives them, with the place where each stands.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace {

// One entry of a configuration file.
struct Property {
  std::string key;       // Without the prefix of the section that holds it: "port".
  std::string value;     // Resolved text.
  std::string file;      // As the operator named it; empty when the entry is from no file.
  std::size_t line = 0;  // Where the entry starts, from 1; 0 = unknown.
  std::string full_key;  // As it stands in the file: "a1.sources.r1.port".
  // The value as it was before config filters, which may put a secret in; empty: none did.
  std::string unfiltered;

  // What messages show of the value.
  const std::string& shown() const { return unfiltered.empty() ? value : unfiltered; }
};

// The entries below one prefix, in the order of the file, without that prefix. A value: it borrows
// nothing. Keys are compared exactly, case included, as Flume does.
class PropertySection {
 public:
  PropertySection() = default;
  // For tests: no file, no prefix.
  PropertySection(std::initializer_list<std::pair<std::string_view, std::string_view>> entries);
  // `prefix` is what the full keys of `entries` begin with: "a1.sources.r1.".
  PropertySection(std::string prefix, std::vector<Property> entries)
      : prefix_(std::move(prefix)), entries_(std::move(entries)) {}

  const std::string& prefix() const { return prefix_; }
  const std::vector<Property>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }

  // nullptr when the key is not there.
  const Property* find(std::string_view key) const;
  // The value of `key`, or `otherwise`. Borrows from this section.
  std::string_view value_or(std::string_view key, std::string_view otherwise) const;
  // The entries whose key begins with `prefix` and goes on behind it, `prefix` removed. A name's
  // dot belongs to it: sub("interceptors.i1.").
  PropertySection sub(std::string_view prefix) const;
  // Adds an entry, or replaces the value and place of the one with the same key.
  void set(Property property);

  // Same keys with the same values, whatever their order, lines and files: what reload asks.
  friend bool operator==(const PropertySection& a, const PropertySection& b);

 private:
  std::string prefix_;
  std::vector<Property> entries_;
};

// The words of a list value: separated by any run of blanks, tabs or line ends.
std::vector<std::string> split_words(std::string_view text);

// Without blanks and control characters (bytes up to 0x20) at both ends, as Java's trim().
std::string_view trim(std::string_view text);

}  // namespace millrace
