// The inner loops over pixels, vectorised for the instruction sets of the CPU (chosen at run time).
#pragma once

#include <cstddef>
#include <cstdint>

namespace nowhere::kernels {

// line[i] = sum over k of weights[k] * source[k * stride + i], for `count` bytes in a row.
void weigh_rows(const uint8_t* source, size_t stride, const float* weights, int taps, size_t count,
                float* line);

// One output row: for each x, the weighted sum of `taps` pixels of `line` from first[x] on. `line` is read
// and `out` written one float past the last pixel.
void weigh_pixels(const float* line, const int* first, const float* weights, int taps, int width, float* out);

// Rounded and clamped to 0..255.
void round_to_bytes(const float* values, size_t count, uint8_t* out);

// Mirrors a row of pixels left to right.
void mirror_row(const uint8_t* row, int width, uint8_t* out);

// Bytes 0..255 to floats -1..1.
void bytes_to_signed_unit(const uint8_t* bytes, size_t count, float* out);

}  // namespace nowhere::kernels
