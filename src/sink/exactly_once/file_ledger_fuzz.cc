// Any bytes are a ledger or are refused; what is noted behind them is read again.
#include "base/check.h"
#include "io/fake_file_system.h"
#include "sink/exactly_once/file_ledger.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  millrace::FakeFileSystem disk;
  disk.put("/ledger", {reinterpret_cast<const char*>(data), size});
  millrace::FileLedger ledger(disk, "/ledger");
  if (ledger.load().ok()) {
    CHECK(ledger.note("/out/x").ok());
    const std::set<std::string> noted = ledger.noted();
    CHECK(ledger.load().ok());
    CHECK(ledger.noted() == noted);
  }
  return 0;
}
