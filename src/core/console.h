// Messages on stderr. They never fail: a full disk or a closed terminal behind stderr must not end the work.
#pragma once

#include <string_view>

namespace nowhere {

void print_message(std::string_view text);

// Gives the standard descriptors that are closed to /dev/null. Otherwise the next file that is opened would get the
// number of stderr, and messages would be written into it.
void occupy_standard_descriptors();

// Hands what was printed to the system; throws when it did not take it (a full disk behind stdout).
void flush_output();

}  // namespace nowhere
