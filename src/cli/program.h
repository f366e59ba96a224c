// The program: finds the subcommand, reads its command line, runs it, and turns errors into one line and an
// exit code.
#pragma once

namespace nowhere {

int run_program(int argc, const char* const* argv);

}  // namespace nowhere
