// `millrace fs`: files of HDFS, and of this machine by file:// URLs.
#include <array>

#include "cli/fs/commands.h"
#include "cli/subcommands.h"

namespace millrace {
namespace {

constexpr std::array kCommands{
    Command{"ls", "List a folder.", run_fs_ls},
    Command{"cat", "Write files to standard output, as they are.", run_fs_cat},
    Command{"text", "Write what is in files, unpacked and readable.", run_fs_text},
    Command{"put", "Copy a file of this machine; never overwrites.", run_fs_put},
    Command{"stat", "Tell what is known of a file or folder.", run_fs_stat},
    Command{"truncate", "Cut a closed file, and wait until that is done.", run_fs_truncate},
    Command{"recover-lease", "Close a file whose writer has died.", run_fs_recover_lease},
};

}  // namespace

int run_fs(const CommandLine& line) {
  return run_subcommand(
      "fs",
      "Files of HDFS (hdfs://HOST:PORT/PATH, without Java) and of this machine (file:///PATH).\nA "
      "path "
      "alone is one of fs.defaultFS, which core-site.xml in HADOOP_CONF_DIR names.",
      kCommands, line);
}

}  // namespace millrace
