// archive_echo IN.pt OUT.pt: reads with our reader and writes with our writer, for test_archive.py to
// compare.
#include <fmt/core.h>

#include "archive/torch_file.h"
#include "core/error.h"

int main(int argc, char** argv) {
  if (argc != 3) return static_cast<int>(nowhere::Exit::kUsage);
  try {
    nowhere::write_torch_file(argv[2], nowhere::read_torch_file(argv[1]));
  } catch (const nowhere::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.exit());
  }
  return 0;
}
