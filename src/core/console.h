// Messages on stderr. They never fail: a full disk or a closed terminal behind stderr must not end the work.
#pragma once

#include <string>
#include <string_view>

namespace nowhere {

void print_message(std::string_view text);

// From here on only messages of the program ("nowhere: ...") are written, each with `prefix` in front of it,
// and nothing on stdout: for a process whose output would repeat that of another.
void write_messages_only(const std::string& prefix);

// Opens /dev/null for the standard descriptors that are closed. Otherwise the next file that is opened could
// get the number of stderr, and messages would be written into it.
void occupy_standard_descriptors();

// Flushes stdout; throws when that fails (a full disk behind it).
void flush_output();

}  // namespace nowhere
