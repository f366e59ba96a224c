#include "cli/program.h"

int main(int argc, char** argv) {
  return nowhere::run_program(argc, argv);
}
