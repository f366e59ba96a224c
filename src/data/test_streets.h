// Small street data sets for tests, in the MSLS layout.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "image/image.h"

namespace nowhere {

// A picture that no other number has, smooth enough to survive JPEG and detailed enough to have its own hash.
Image test_picture(int number, int width = 64, int height = 48);

// One half of a city: `sequences` sequences of `frames` frames one metre apart, with all tables. Keys are
// "{city}_{subset}_{sequence}_{frame}"; odd sequences are at night, sequence 0 looks sideways.
void make_city(const std::filesystem::path& root, const std::string& city, const std::string& subset,
               int sequences, int frames);

void write_jpeg(const std::filesystem::path& path, const Image& image);

// The 530 real photographs that may lie beside the checkout; empty when they do not.
std::filesystem::path real_photographs();

}  // namespace nowhere
