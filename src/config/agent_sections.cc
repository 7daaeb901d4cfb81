#include "config/agent_sections.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "config/nearest_name.h"

namespace millrace {

namespace {

constexpr std::array<std::string_view, kKindWords.size()> kPartWords{
    "source", "channel", "sink", "sink group", "config filter", "test"};
constexpr std::array kFilteredKinds{PartKind::kSources, PartKind::kChannels, PartKind::kSinks,
                                    PartKind::kSinkGroups};

}  // namespace

std::string_view plural(PartKind kind) {
  return kKindWords.at(static_cast<std::size_t>(kind));
}

std::string_view singular(PartKind kind) {
  return kPartWords.at(static_cast<std::size_t>(kind));
}

std::optional<PartKind> kind_of(std::string_view word) {
  for (std::size_t i = 0; i < kKindWords.size(); ++i) {
    if (kKindWords.at(i) == word) {
      return static_cast<PartKind>(i);
    }
  }
  return std::nullopt;
}

AgentSections::AgentSections(const PropertySection& resolved, std::string name,
                             Diagnostics& diagnostics)
    : name_(std::move(name)), diagnostics_(diagnostics) {
  const std::string prefix = name_ + ".";
  for (const Property& entry : resolved.entries()) {
    const std::string_view key = trim(entry.full_key);
    if (!key.starts_with(prefix)) {
      continue;
    }
    first_ = first_ == nullptr ? &entry : first_;
    Property property = entry;
    property.full_key = key;
    property.key = key.substr(prefix.size());
    property.value = trim(entry.value);
    if (property.value.empty()) {
      report(Severity::kWarning, property.key, &property, "has no value and is left out", "");
    } else {
      add(std::move(property));
    }
  }
}

void AgentSections::add(Property property) {
  const std::string text = property.key;
  const std::string_view key = text;
  const std::size_t dot = key.find('.');
  const std::string_view word = key.substr(0, dot);
  const std::optional<PartKind> kind = kind_of(word);
  if (!kind.has_value()) {
    report(Severity::kWarning, key, &property, "is not a key of an agent and has no effect",
           did_you_mean(nearest_name(word, {kKindWords.begin(), kKindWords.end()})));
  } else if (dot == std::string_view::npos) {
    at(*kind).list = std::move(property);
  } else {
    add_to_part(*kind, key.substr(dot + 1), std::move(property));
  }
}

// `rest` is "r1.port".
void AgentSections::add_to_part(PartKind kind, std::string_view rest, Property property) {
  const std::size_t dot = rest.find('.');
  const std::string_view part = rest.substr(0, dot);
  if (dot == std::string_view::npos || part.empty() || dot + 1 == rest.size()) {
    const std::string key = property.key;
    report(Severity::kWarning, key, &property, "names no key of a part and has no effect",
           fmt::format("a part's keys are {}.{}.NAME.KEY", name_, plural(kind)));
    return;
  }
  Kind& group = at(kind);
  const auto [place, is_new] = group.parts.try_emplace(std::string(part));
  if (is_new) {
    group.order.emplace_back(part);
  }
  property.key = rest.substr(dot + 1);
  place->second.push_back(std::move(property));
}

std::vector<Part> AgentSections::listed(PartKind kind) const {
  const Kind& group = at(kind);
  const std::vector<std::string> names =
      group.list.has_value() ? split_words(group.list->value) : std::vector<std::string>();
  const std::set<std::string_view> known(names.begin(), names.end());
  const std::vector<std::string_view> unlisted = unlisted_parts(kind, known);
  std::vector<Part> parts;
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      report(Severity::kWarning, plural(kind), &*group.list,
             fmt::format("{} {} is listed twice", singular(kind), name), "");
      continue;
    }
    const auto place = group.parts.find(name);
    if (place == group.parts.end()) {
      report(Severity::kError, plural(kind), &*group.list,
             fmt::format("{} {} is listed but has no keys: it is left out", singular(kind), name),
             name.find_first_of(",;") == std::string::npos
                 ? did_you_mean(nearest_name(name, unlisted))
                 : "names in a list have blanks between them, no commas");
      continue;
    }
    parts.push_back({name, PropertySection(fmt::format("{}.{}.{}.", name_, plural(kind), name),
                                           place->second)});
  }
  warn_of_unlisted(kind, unlisted);
  return parts;
}

bool AgentSections::has_list(PartKind kind) const {
  return at(kind).list.has_value();
}

std::vector<std::string_view> AgentSections::unlisted_parts(
    PartKind kind, const std::set<std::string_view>& known) const {
  std::vector<std::string_view> unlisted;
  for (const std::string& part : at(kind).order) {
    if (known.count(part) == 0) {
      unlisted.push_back(part);
    }
  }
  return unlisted;
}

void AgentSections::warn_of_unlisted(PartKind kind,
                                     const std::vector<std::string_view>& unlisted) const {
  for (const std::string_view part : unlisted) {
    const Property& first = at(kind).parts.find(part)->second.front();
    report(Severity::kWarning, fmt::format("{}.{}", plural(kind), part), &first,
           fmt::format("{} {} is not listed in {}.{}: it is left out", singular(kind), part, name_,
                       plural(kind)),
           "");
  }
}

void AgentSections::warn_of_unknown_filters(const std::vector<std::string_view>& known) const {
  for (const PartKind kind : kFilteredKinds) {
    for (const auto& [part, properties] : at(kind).parts) {
      for (const Property& property : properties) {
        for (const FilterUse& use : filter_uses(property.shown())) {
          if (std::find(known.begin(), known.end(), use.name) == known.end()) {
            report(
                Severity::kWarning, property.full_key.substr(name_.size() + 1), &property,
                fmt::format("{} stays as it is: no config filter {} is listed", use.use, use.name),
                did_you_mean(nearest_name(use.name, known)));
          }
        }
      }
    }
  }
}

void AgentSections::apply(const ConfigFilter& filter) {
  for (const PartKind kind : kFilteredKinds) {
    for (auto& part : at(kind).parts) {
      for (Property& property : part.second) {
        apply(filter, property);
      }
    }
  }
}

void AgentSections::apply(const ConfigFilter& filter, Property& property) const {
  std::vector<FilterHit> hits;
  std::vector<FilterMiss> misses;
  std::string value = apply_config_filter(filter, property.value, hits, misses);
  for (FilterHit& hit : hits) {
    diagnostics_.hide(std::move(hit.value), std::move(hit.use));
  }
  if (value != property.value && property.unfiltered.empty()) {
    property.unfiltered = property.value;
  }
  if (!hits.empty()) {
    diagnostics_.hide(value, property.unfiltered);
  }
  property.value = std::move(value);
  for (const FilterMiss& miss : misses) {
    const bool is_unknown = miss.why.empty();
    report(is_unknown ? Severity::kWarning : Severity::kError,
           property.full_key.substr(name_.size() + 1), &property,
           miss.use +
               (is_unknown ? " has no value and stays as it is" : " stays as it is: " + miss.why),
           "");
  }
}

void AgentSections::report(Severity severity, std::string_view key, const Property* near,
                           std::string message, std::string hint) const {
  const Property* const place = near != nullptr ? near : first_;
  diagnostics_.add({severity, place != nullptr ? place->file : std::string(),
                    place != nullptr ? place->line : 0, fmt::format("{}.{}", name_, key), "",
                    std::move(message), std::move(hint)});
}

}  // namespace millrace
