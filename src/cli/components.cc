// `millrace components`: what this program can be made of, and the keys of each part. The pages of
// docs/reference are its output.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/component_families.h"
#include "cli/options.h"
#include "cli/page_files.h"
#include "config/nearest_name.h"
#include "config/reference_page.h"
#include "core/component_types.h"
#include "core/registry.h"

namespace millrace {
namespace {

ReferencePage page_of(const Family& family, const ComponentInfo& info) {
  return {family.name, info.alias, info.class_name, info.about, info.fields};
}

void print_list() {
  for (const Family& family : component_families()) {
    fmt::print("{}s\n", family.name);
    for (const ComponentInfo& info : family.components) {
      fmt::print("  {:<20} {}\n", info.alias, info.class_name);
    }
  }
  fmt::print("\n`millrace components NAME` gives the keys of one.\n");
}

// One page, or those of several families that have a component of the name.
int print_one(const std::string& wanted, std::string (*as_text)(const ReferencePage&)) {
  bool found = false;
  for (const Family& family : component_families()) {
    for (const ComponentInfo& info : family.components) {
      if (is_component_name(wanted, info)) {
        fmt::print("{}{}", found ? "\n" : "", as_text(page_of(family, info)));
        found = true;
      }
    }
  }
  if (found) {
    return kDone;
  }
  if (is_flume_type(wanted)) {
    const std::string_view replacement = replacement_of(wanted);
    fmt::print(stderr, "millrace components: \"{}\" of Flume is not built in{}{}\n", wanted,
               replacement.empty() ? " yet" : "; ", replacement);
    return kFailedAtWork;
  }
  const std::vector<std::string> known = component_names();
  const std::string hint = did_you_mean(nearest_name(wanted, {known.begin(), known.end()}));
  fmt::print(stderr, "millrace components: there is no \"{}\"{}{}\n", wanted,
             hint.empty() ? "" : "; ", hint);
  return kBadUsage;
}

// "source-netcat.md"; of a class name its last part.
std::string file_of(const Family& family, const ComponentInfo& info) {
  const std::string& name = name_of(info);
  std::string file = family.name + "-" + name.substr(name.rfind('.') + 1) + ".md";
  std::replace(file.begin(), file.end(), '$', '-');
  return file;
}

// The index and a page a component.
std::map<std::string, std::string> reference() {
  std::map<std::string, std::string> pages;
  std::string& index = pages["index.md"];
  index =
      "# Reference\n\nWritten by `millrace components --doc` from the program itself; `./dev docs` "
      "writes it anew.\n";
  for (const Family& family : component_families()) {
    index += fmt::format("\n## {}{}s\n\n| Type | Class |\n|---|---|\n",
                         static_cast<char>(family.name[0] - 'a' + 'A'), family.name.substr(1));
    for (const ComponentInfo& info : family.components) {
      const std::string file = file_of(family, info);
      index += fmt::format("| [{}]({}) | `{}` |\n", name_of(info), file, info.class_name);
      pages[file] = to_markdown(page_of(family, info));
    }
  }
  return pages;
}

}  // namespace

int run_components(const CommandLine& line) {
  std::vector<std::string> names;
  bool is_doc = false;
  std::string folder;
  Options options("components", "Lists sources, channels, sinks and so on, or the keys of one.");
  options.rest("NAME", names, 0, "An alias or a class name.");
  options.rest_words(component_names());
  options.flag("--doc", is_doc, "The page of the reference, as Markdown.");
  options.text("--into", folder, "With --doc: folder to write the whole reference into.");
  if (const auto status = options.parse(line)) {
    return *status;
  }
  if (!folder.empty() ? !is_doc || !names.empty() : is_doc && names.empty()) {
    return options.refuse("--doc goes with a NAME, or with --into alone");
  }
  if (!folder.empty()) {
    const Result<> written = write_pages(folder, reference());
    if (!written.ok()) {
      fmt::print(stderr, "millrace components: {}\n", written.error().message());
    }
    return written.ok() ? kDone : kFailedAtWork;
  }
  int status = kDone;
  for (const std::string& name : names) {
    status = std::max(status, print_one(name, is_doc ? to_markdown : to_text));
  }
  if (names.empty()) {
    print_list();
  }
  return status;
}

}  // namespace millrace
