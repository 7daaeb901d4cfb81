#include "cli/test/test_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "config/nearest_name.h"
#include "core/component_types.h"
#include "io/file_system.h"

namespace millrace {
namespace {

using Words = std::vector<std::string_view>;

struct TestKeys {
  std::string source;
  PropertySection input;
  PropertySection output;

  static constexpr auto fields() {
    using C = TestKeys;
    return std::tuple{
        field("source", &C::source, "Source whose interceptors and selector are tested.")
            .required(),
        field("input.", &C::input, "Events that the source makes."),
        field("output.", &C::output, "Events that its channels then get."),
    };
  }
};

struct InputKeys {
  std::string file;

  static constexpr auto fields() {
    return std::tuple{field("file", &InputKeys::file, "File whose lines are events.")};
  }
};

struct ChannelKeys {
  std::optional<std::uint32_t> count;

  static constexpr auto fields() {
    return std::tuple{field("count", &ChannelKeys::count, "How many events the channel gets.")
                          .range(0, 1'000'000)};
  }
};

// "r1" of "r1.port".
std::string_view first_word(std::string_view key) {
  return key.substr(0, key.find('.'));
}

std::string hint_of(std::string_view name, const Words& known) {
  return did_you_mean(nearest_name(name, known));
}

// The words that the keys of a section begin with, each once, in the order of the file.
std::vector<std::string> first_words(const PropertySection& section) {
  std::vector<std::string> words;
  for (const Property& property : section.entries()) {
    const std::string_view word = first_word(property.key);
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      words.emplace_back(word);
    }
  }
  return words;
}

// One number has one name: "01" is no other way to say "1".
std::optional<std::uint32_t> event_number(std::string_view word) {
  std::uint32_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  const bool is_one = error == std::errc{} && stop == end && !word.starts_with('0');
  return is_one ? std::optional(number) : std::nullopt;
}

}  // namespace

// A key that is not known is a warning elsewhere; in a test it is an expectation that nobody holds.
template <class C>
C TestReader::bound(const PropertySection& section) {
  Diagnostics findings;
  std::optional<C> config = bind<C>(section, findings, {});
  for (Diagnostic finding : findings.items()) {
    finding.severity = Severity::kError;
    diagnostics_.add(std::move(finding));
  }
  return config.value_or(C{});
}

void TestReader::fault(const PropertySection& section, std::string_view key, std::string message,
                       std::string hint) {
  Diagnostic finding = fault_at(section, key, std::move(message));
  finding.hint = std::move(hint);
  diagnostics_.add(std::move(finding));
}

UnitTest TestReader::read(const Part& part) {
  const auto keys = bound<TestKeys>(part.properties);
  UnitTest test{.name = part.name, .source = source_of(part.properties, keys.source)};
  const PropertySection input = part.properties.sub("input.");
  const PropertySection output = part.properties.sub("output.");
  test.inputs = inputs_of(input);
  if (input.empty()) {
    fault(part.properties, "input", "is missing: the test puts nothing in");
  }
  if (output.empty()) {
    fault(part.properties, "output", "is missing: the test expects nothing");
  }
  for (const std::string& name : first_words(output)) {
    if (auto channel = output_of(output, name, test.source)) {
      test.outputs.push_back(std::move(*channel));
    }
  }
  return test;
}

const PlannedSource* TestReader::source_of(const PropertySection& keys, const std::string& name) {
  Words known;
  for (const PlannedSource& source : topology_.sources) {
    if (source.name == name) {
      return &source;
    }
    known.push_back(source.name);
  }
  if (!name.empty()) {
    fault(keys, "source", fmt::format("agent {} has no such source", topology_.agent),
          hint_of(name, known));
  }
  return nullptr;
}

std::vector<TestInput> TestReader::inputs_of(const PropertySection& section) {
  InputKeys others;
  std::vector<TestInput> inputs;
  auto events = numbered<TestInput>(section, others);
  if (!others.file.empty()) {
    add_lines(*section.find("file"), inputs);
  }
  for (auto& [number, event] : events) {
    inputs.push_back(std::move(event));
  }
  return inputs;
}

// A path is taken from the folder of the configuration, so that the two can move together.
void TestReader::add_lines(const Property& file, std::vector<TestInput>& inputs) {
  const std::filesystem::path path = std::filesystem::path(file.file).parent_path() / file.value;
  const Result<std::string> text = read_file(real_file_system(), path);
  if (!text.ok()) {
    diagnostics_.add({Severity::kError, file.file, file.line, file.full_key, file.value,
                      text.error().message(), ""});
    return;
  }
  std::string_view left = *text;
  while (!left.empty()) {
    const std::string_view line = left.substr(0, left.find('\n'));
    inputs.push_back({std::string(line), {}});
    left.remove_prefix(std::min(line.size() + 1, left.size()));
  }
}

std::optional<ExpectedChannel> TestReader::output_of(const PropertySection& section,
                                                     const std::string& name,
                                                     const PlannedSource* source) {
  const PropertySection keys = section.sub(name + ".");
  if (keys.empty()) {
    fault(section, name, "names no key of a channel",
          fmt::format("its keys are {0}.count, {0}.1.body and the like", name));
    return std::nullopt;
  }
  if (source != nullptr) {
    const std::vector<std::string>& known = source->channels;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      fault(keys, keys.entries().front().key,
            fmt::format("source {} has no channel {}", source->name, name),
            hint_of(name, {known.begin(), known.end()}));
    }
  }
  ChannelKeys others;
  ExpectedChannel channel{.name = name, .events = numbered<ExpectedEvent>(keys, others)};
  channel.count =
      others.count.value_or(channel.events.empty() ? 0 : channel.events.rbegin()->first);
  take_count(keys, channel);
  return channel;
}

// No event may be described that the count leaves no place for.
void TestReader::take_count(const PropertySection& section, ExpectedChannel& channel) {
  if (const Property* const given = section.find("count")) {
    channel.count_at = *given;
  } else if (!channel.events.empty()) {
    channel.count_at = channel.events.rbegin()->second.keys.entries().front();
    channel.count_at.full_key = section.prefix().substr(0, section.prefix().size() - 1);
  }
  for (const auto& [number, event] : channel.events) {
    if (number > channel.count) {
      fault(section, "count", fmt::format("event {} is described all the same", number));
    }
  }
}

// The keys of events, by their numbers; those that begin with another word are of `others`.
template <class Event, class Others>
std::map<std::uint32_t, Event> TestReader::numbered(const PropertySection& section,
                                                    Others& others) {
  PropertySection rest(section.prefix(), {});
  std::map<std::uint32_t, Event> events;
  for (const std::string& word : first_words(section)) {
    const std::optional<std::uint32_t> number = event_number(word);
    const PropertySection keys = section.sub(word + ".");
    if (number && keys.empty()) {
      fault(section, word, "names no key of an event", did_you_mean(word + ".body"));
    } else if (number) {
      Event event = bound<Event>(keys);
      if constexpr (requires { event.keys; }) {
        event.keys = keys;
      }
      events.insert_or_assign(*number, std::move(event));
    }
  }
  for (const Property& property : section.entries()) {
    if (!event_number(first_word(property.key))) {
      rest.set(property);
    }
  }
  others = bound<Others>(rest);
  return events;
}

}  // namespace millrace
