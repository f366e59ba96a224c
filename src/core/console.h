// Messages on stderr. They never fail: a full disk or a closed terminal behind stderr must not end the work.
#pragma once

#include <string_view>

namespace nowhere {

void print_message(std::string_view text);

// Opens /dev/null for the standard descriptors that are closed. Otherwise the next file that is opened could
// get the number of stderr, and messages would be written into it.
void occupy_standard_descriptors();

// Flushes stdout; throws when that fails (a full disk behind it).
void flush_output();

}  // namespace nowhere
