#include "config/fields.h"

#include <algorithm>
#include <array>
#include <utility>

#include "config/nearest_name.h"

namespace millrace {

namespace {

constexpr std::array<std::string_view, 5> kSourceKeys{"type", "channels", "selector.*",
                                                      "interceptors", "interceptors.*"};
constexpr std::array<std::string_view, 4> kSinkKeys{"type", "channel", "on-rejected",
                                                    "dead-letter.*"};
constexpr std::array<std::string_view, 3> kChannelKeys{"type", "on-rejected", "dead-letter.*"};
constexpr std::array<std::string_view, 1> kGroupKeys{"processor.type"};
constexpr std::array<std::string_view, 1> kNestedKeys{"type"};

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The entry that stands for the section where a message is about what is not there: its type.
const Property* place_of(const PropertySection& section) {
  const Property* const type = section.find("type");
  return type != nullptr || section.empty() ? type : &section.entries().front();
}

}  // namespace

CommonKeys common_source_keys() {
  return {kSourceKeys};
}
CommonKeys common_sink_keys() {
  return {kSinkKeys};
}
CommonKeys common_channel_keys() {
  return {kChannelKeys};
}
CommonKeys common_group_keys() {
  return {kGroupKeys};
}
CommonKeys common_nested_keys() {
  return {kNestedKeys};
}

void ConfigCheck::report(Severity severity, std::string_view key, std::string_view message) {
  binder_.report_rule(severity, key, message);
}

void FieldBinder::read(const FieldMarks& marks, std::map<std::string, std::string>& out) {
  const PropertySection below = start_prefix(marks);
  for (const Property& property : below.entries()) {
    out[property.key] = property.value;
  }
}

void FieldBinder::read(const FieldMarks& marks, PropertySection& out) {
  out = start_prefix(marks);
}

const Property* FieldBinder::start(const FieldMarks& marks) {
  fields_.push_back(marks);
  field_is_prefix_.push_back(false);
  const Property* const property = section_.find(marks.key);
  if (property == nullptr) {
    report_missing(marks);
    return nullptr;
  }
  say_ignored_or_old(marks, *property);
  return marks.ignored.empty() ? property : nullptr;
}

void FieldBinder::finish(const FieldMarks& marks, const Property& property, const ValueFault& fault,
                         std::string default_text) {
  if (fault.ok()) {
    return;
  }
  std::string message = fault.expected;
  if (marks.is_lenient && !fault.only_warn) {
    message += default_text.empty() ? ": the default is used"
                                    : ": the default " + std::move(default_text) + " is used";
  }
  const bool is_error = !marks.is_lenient && !fault.only_warn;
  if (is_error) {
    bad_keys_.push_back(marks.key);
  }
  add(is_error ? Severity::kError : Severity::kWarning, property, marks.is_secret,
      std::move(message), fault.hint);
}

PropertySection FieldBinder::start_prefix(const FieldMarks& marks) {
  fields_.push_back(marks);
  field_is_prefix_.push_back(true);
  PropertySection below = section_.sub(marks.key);
  if (below.empty()) {
    report_missing(marks);
    return below;
  }
  say_ignored_or_old(marks, below.entries().front());
  return marks.ignored.empty() ? below : PropertySection();
}

void FieldBinder::say_ignored_or_old(const FieldMarks& marks, const Property& property) {
  if (!marks.ignored.empty()) {
    add(Severity::kWarning, property, marks.is_secret, "has no effect", std::string(marks.ignored));
  } else if (!marks.deprecated.empty()) {
    add(Severity::kWarning, property, marks.is_secret, "is an old key",
        std::string(marks.deprecated));
  }
}

void FieldBinder::report_missing(const FieldMarks& marks) {
  if (!marks.is_required) {
    return;
  }
  bad_keys_.push_back(marks.key);
  report_check(Severity::kError, marks.key, "is required and missing");
}

void FieldBinder::report_unknown_keys() {
  std::vector<std::string_view> known;
  for (const FieldMarks& marks : fields_) {
    known.push_back(marks.key);
  }
  for (const std::string_view key : common_.keys) {
    known.push_back(key.substr(0, key.find('*')));
  }
  for (const Property& property : section_.entries()) {
    if (!is_known(property.key)) {
      // Its value may be a secret whose key is misspelt: not printed.
      add(Severity::kWarning, property, true, "is not a key of this component and has no effect",
          did_you_mean(nearest_name(property.key, known)));
    }
  }
}

void FieldBinder::add(Severity severity, const Property& property, bool secret, std::string message,
                      std::string hint) {
  diagnostics_.add({severity, property.file, property.line, property.full_key,
                    secret ? std::string() : property.shown(), std::move(message),
                    std::move(hint)});
}

void FieldBinder::report_check(Severity severity, std::string_view key, std::string_view message) {
  const Property* const property = section_.find(key);
  if (property != nullptr) {
    add(severity, *property, is_secret(key), std::string(message), "");
    return;
  }
  const Property* const place = place_of(section_);
  diagnostics_.add({severity, place != nullptr ? place->file : std::string(),
                    place != nullptr ? place->line : 0, section_.prefix() + std::string(key), "",
                    std::string(message), ""});
}

void FieldBinder::report_rule(Severity severity, std::string_view key, std::string_view message) {
  if (contains(bad_keys_, key)) {
    return;
  }
  check_failed_ = check_failed_ || severity == Severity::kError;
  report_check(severity, key, message);
}

bool FieldBinder::is_known(std::string_view key) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (field_is_prefix_[i] ? key.starts_with(fields_[i].key) : key == fields_[i].key) {
      return true;
    }
  }
  return std::any_of(common_.keys.begin(), common_.keys.end(), [&](std::string_view common) {
    return common.ends_with('*') ? key.starts_with(common.substr(0, common.size() - 1))
                                 : key == common;
  });
}

bool FieldBinder::is_secret(std::string_view key) const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const bool matches =
        field_is_prefix_[i] ? key.starts_with(fields_[i].key) : key == fields_[i].key;
    if (matches && fields_[i].is_secret) {
      return true;
    }
  }
  return false;
}

FieldDescription describe_field(const FieldMarks& marks, std::string_view type,
                                std::string default_text, bool is_real, bool is_prefix) {
  FieldDescription field;
  field.key = marks.key;
  field.type = type;
  field.default_text = marks.is_required ? std::string() : std::move(default_text);
  field.range = range_text(marks, is_real);
  field.choices.assign(marks.choices.begin(),
                       marks.choices.begin() + static_cast<std::ptrdiff_t>(marks.choice_count));
  field.help = marks.help;
  field.example = marks.example;
  field.ignored = marks.ignored;
  field.deprecated = marks.deprecated;
  field.required = marks.is_required;
  field.secret = marks.is_secret;
  field.lenient = marks.is_lenient;
  field.is_prefix = is_prefix;
  return field;
}

}  // namespace millrace
