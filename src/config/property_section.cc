#include "config/property_section.h"

#include <algorithm>

namespace millrace {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

std::vector<Pair> sorted_pairs(const PropertySection& section) {
  std::vector<Pair> pairs;
  pairs.reserve(section.entries().size());
  for (const Property& property : section.entries()) {
    pairs.emplace_back(property.key, property.value);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

constexpr std::string_view kBlanks = " \t\n\v\f\r";

}  // namespace

PropertySection::PropertySection(std::initializer_list<Pair> entries) {
  for (const Pair& entry : entries) {
    set({std::string(entry.first), std::string(entry.second), "", 0, std::string(entry.first)});
  }
}

const Property* PropertySection::find(std::string_view key) const {
  for (const Property& property : entries_) {
    if (property.key == key) {
      return &property;
    }
  }
  return nullptr;
}

std::string_view PropertySection::value_or(std::string_view key, std::string_view otherwise) const {
  const Property* const property = find(key);
  return property != nullptr ? std::string_view(property->value) : otherwise;
}

PropertySection PropertySection::sub(std::string_view prefix) const {
  PropertySection below(prefix_ + std::string(prefix), {});
  for (const Property& property : entries_) {
    if (property.key.size() > prefix.size() && property.key.starts_with(prefix)) {
      below.entries_.push_back(property);
      below.entries_.back().key.erase(0, prefix.size());
    }
  }
  return below;
}

void PropertySection::set(Property property) {
  for (Property& known : entries_) {
    if (known.key == property.key) {
      known = std::move(property);
      return;
    }
  }
  entries_.push_back(std::move(property));
}

bool operator==(const PropertySection& a, const PropertySection& b) {
  return sorted_pairs(a) == sorted_pairs(b);
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = text.find_first_not_of(kBlanks);
  while (at != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::string_view trim(std::string_view text) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace millrace
