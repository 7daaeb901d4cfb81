#include "cli/verify/result_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "web/json_text.h"

namespace millrace {
namespace {

bool has_several_runs(const VerifyResult& result) {
  return std::any_of(result.hammers.begin(), result.hammers.end(), [&](const HammerTally& hammer) {
    return hammer.run != result.hammers.front().run;
  });
}

std::string name_of(const HammerTally& hammer, bool with_run) {
  return with_run ? fmt::format("hammer-{} (run {})", hammer.hammer, hammer.run)
                  : fmt::format("hammer-{}", hammer.hammer);
}

std::string figures(const Tally& tally) {
  std::string text = fmt::format("total={} lost={} dups={} retried={}", tally.total, tally.lost,
                                 tally.dups, tally.retried);
  if (tally.unknown > 0) {
    text += fmt::format(" unknown={}", tally.unknown);
  }
  return text;
}

// "17, 20..42, …"
std::string lost_numbers(const Tally& tally) {
  std::string text;
  std::uint64_t named = 0;
  for (const Interval& interval : tally.lost_examples) {
    text += text.empty() ? "" : ", ";
    text += interval.count() == 1 ? fmt::format("{}", interval.first)
                                  : fmt::format("{}..{}", interval.first, interval.last);
    named += interval.count();
  }
  return named < tally.lost ? text + ", ..." : text;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (std::string_view("<>&\"'").find(letter) != std::string_view::npos) {
      out += fmt::format("&#{};", code);
    } else {
      out += code < 32 ? '?' : letter;
    }
  }
  return out;
}

std::string json_of(const HammerTally& hammer) {
  const Tally& tally = hammer.tally;
  std::string lost;
  for (const Interval& interval : tally.lost_examples) {
    lost += fmt::format("{}[{}, {}]", lost.empty() ? "" : ", ", interval.first, interval.last);
  }
  return fmt::format(
      R"(    {{"run": "{}", "hammer": {}, "total": {}, "lost": {}, "dups": {}, "retried": {}, )"
      R"("unknown": {}, "lost_examples": [{}]}})",
      hammer.run, hammer.hammer, tally.total, tally.lost, tally.dups, tally.retried, tally.unknown,
      lost);
}

}  // namespace

Tally sum_of(const VerifyResult& result) {
  Tally sum;
  for (const HammerTally& hammer : result.hammers) {
    sum.total += hammer.tally.total;
    sum.lost += hammer.tally.lost;
    sum.dups += hammer.tally.dups;
    sum.retried += hammer.tally.retried;
    sum.unknown += hammer.tally.unknown;
  }
  return sum;
}

std::string to_text(const VerifyResult& result) {
  std::string text;
  const bool with_run = has_several_runs(result);
  for (const HammerTally& hammer : result.hammers) {
    text += fmt::format("{}: {}\n", name_of(hammer, with_run), figures(hammer.tally));
  }
  text += "grand " + figures(sum_of(result));
  if (result.cut > 0) {
    text += fmt::format(" cut={}", result.cut);
  }
  if (result.other > 0) {
    text += fmt::format(" other={}", result.other);
  }
  return text + "\n";
}

std::string remarks(const VerifyResult& result) {
  std::string text;
  const bool with_run = has_several_runs(result);
  for (const HammerTally& hammer : result.hammers) {
    if (hammer.tally.lost > 0) {
      text += fmt::format("{}: lost {}\n", name_of(hammer, with_run), lost_numbers(hammer.tally));
    }
  }
  for (const FileNote& note : result.notes) {
    text += note.text + "\n";
  }
  if (result.note_count > result.notes.size()) {
    text += fmt::format("and {} more of these\n", result.note_count - result.notes.size());
  }
  if (result.other_runs > 0) {
    text += fmt::format("{} events of other runs were left out\n", result.other_runs);
  }
  if (!result.range_was_sent && !result.hammers.empty()) {
    text += "without --sent, what is missing behind a hammer's highest number does not show\n";
  }
  return text;
}

std::string to_json(const VerifyResult& result) {
  std::string hammers;
  for (const HammerTally& hammer : result.hammers) {
    hammers += (hammers.empty() ? "\n" : ",\n") + json_of(hammer);
  }
  std::string notes;
  for (const FileNote& note : result.notes) {
    notes += fmt::format(R"({}    {{"file": {}, "offset": {}, "text": {}}})",
                         notes.empty() ? "\n" : ",\n", json_string(note.file), note.offset,
                         json_string(note.text));
  }
  const Tally sum = sum_of(result);
  return fmt::format(
      "{{\n  \"hammers\": [{}\n  ],\n  \"total\": {},\n  \"lost\": {},\n  \"dups\": {},\n"
      "  \"retried\": {},\n  \"unknown\": {},\n  \"cut\": {},\n  \"other\": {},\n"
      "  \"other_runs\": {},\n  \"files\": {},\n  \"notes\": [{}\n  ]\n}}\n",
      hammers, sum.total, sum.lost, sum.dups, sum.retried, sum.unknown, result.cut, result.other,
      result.other_runs, result.files, notes);
}

std::string to_junit(const VerifyResult& result) {
  std::string cases;
  std::size_t failures = 0;
  for (const HammerTally& hammer : result.hammers) {
    const std::string name = name_of(hammer, true);
    cases +=
        fmt::format("  <testcase classname=\"millrace.verify\" name=\"{}\">\n", xml_text(name));
    if (hammer.tally.lost > 0) {
      ++failures;
      cases += fmt::format("    <failure message=\"lost={}\">lost {}</failure>\n",
                           hammer.tally.lost, lost_numbers(hammer.tally));
    }
    cases += fmt::format("    <system-out>{}</system-out>\n  </testcase>\n", figures(hammer.tally));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"millrace verify\" tests=\"{}\" failures=\"{}\">\n{}</testsuite>\n",
      result.hammers.size(), failures, cases);
}

}  // namespace millrace
