#include "client/dfs/file_system.h"

namespace millrace::dfs {

Result<> OutputStream::write(std::string_view bytes) {
  const iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
  return write({&piece, 1});
}

Result<> OutputStream::flush(Durability durability) {
  TRY(start_flush(durability));
  return finish_flush();
}

}  // namespace millrace::dfs
