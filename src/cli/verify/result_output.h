// The integrity report, for people, for programs and for CI servers.
#pragma once

#include <string>

#include "cli/verify/tallies.h"

namespace millrace {

// A line a hammer, then the sums:
//   hammer-0: total=1000 lost=0 dups=0 retried=0
//   grand total=1000 lost=0 dups=0 retried=0
// `unknown=`, `cut=` and `other=` stand there when they are not 0; the run when there are several.
std::string to_text(const VerifyResult& result);
// What is lost, and what the files had besides: a line each, for stderr.
std::string remarks(const VerifyResult& result);
std::string to_json(const VerifyResult& result);
// A test case a hammer; one with losses has failed.
std::string to_junit(const VerifyResult& result);

Tally sum_of(const VerifyResult& result);  // Without examples.

}  // namespace millrace
