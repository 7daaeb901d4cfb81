#include <string>
#include <vector>

#include "cli/cli.h"

int main(int count, char** arguments) {
  return millrace::run_program(std::vector<std::string>(arguments + 1, arguments + count));
}
