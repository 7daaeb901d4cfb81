#include "core/dead_letter.h"

#include "base/check.h"

namespace millrace {
namespace {

MakeLetterFiles& maker() {
  static MakeLetterFiles make = nullptr;
  return make;
}

}  // namespace

RegisterLetterFiles::RegisterLetterFiles(MakeLetterFiles make) {
  maker() = make;
}

std::unique_ptr<DeadLetter> make_letter_files(const RejectionConfig& config,
                                              const DeadLetterContext& context) {
  CHECK(maker() != nullptr);
  return maker()(config, context);
}

}  // namespace millrace
