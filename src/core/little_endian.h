// Integers as bytes, lowest first, whatever the byte order of the machine.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>

namespace nowhere {

template <std::unsigned_integral T>
void append_little_endian(std::string& bytes, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace nowhere
