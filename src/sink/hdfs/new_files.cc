#include "sink/hdfs/new_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace millrace {
namespace {

constexpr int kMostNames = 1000;

}  // namespace

Result<std::unique_ptr<BucketFile>> NewFiles::create(const std::string& folder,
                                                     const std::string& prefix,
                                                     std::int64_t& number) {
  if (number == 0) {
    number = std::max(clock_.wall_ms(), highest_number_);
  }
  for (int i = 0; i < kMostNames; ++i) {
    ++number;
    std::optional<FileNames> free =
        TRY(names(folder, fmt::format("{}.{}{}", prefix, number, plan_.extension)));
    if (!free) {
      continue;
    }
    TRY(ledger_.note(ledger_entry(*free)));
    dfs::CreateOptions options;
    options.durability = plan_.durability;
    auto stream = dfs_.create(free->temporary, options);
    if (stream.ok()) {
      return std::make_unique<BucketFile>(*std::move(free), std::move(stream).value(),
                                          plan_.make_serializer(), clock_.steady());
    }
    const int reason = stream.error().error_number();
    if (reason != 0 && reason != ETIMEDOUT) {
      ledger_.forget(ledger_entry(*free));  // It was not made, at least not by us.
    }
    if (reason != EEXIST) {
      return std::move(stream).error().with("cannot create " + free->temporary);
    }
  }
  return transient(fmt::format("{}/{}: {} names are taken", folder, prefix, kMostNames));
}

// Nothing when one of them is taken, also by a file that is gone and waits to be forgotten. Looked
// at before the ledger has them, for after a crash what is in there is taken for ours.
Result<std::optional<FileNames>> NewFiles::names(const std::string& folder,
                                                 const std::string& name) {
  const std::string base = folder == "/" ? "/" : folder + '/';
  FileNames made{base + plan_.in_use_prefix + name + plan_.in_use_suffix, base + name,
                 plan_.by_intent};
  if (ledger_.noted().contains(ledger_entry(made))) {
    return std::optional<FileNames>();
  }
  for (const std::string* const path : {&made.temporary, &made.published}) {
    const auto there = dfs_.status(*path);
    if (there.ok()) {
      return std::optional<FileNames>();
    }
    if (there.error().error_number() != ENOENT) {
      return there.error();
    }
  }
  return std::optional<FileNames>(std::move(made));
}

void NewFiles::end_row(std::int64_t& number) {
  highest_number_ = std::max(highest_number_, number);
  number = 0;
}

}  // namespace millrace
