// A small city and its pack, for the tests of packing.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/test_folder.h"
#include "data/filter.h"
#include "data/pack_reader.h"
#include "data/packer.h"
#include "data/test_streets.h"

namespace nowhere {

class PackTest : public testing::Test {
 protected:
  PackTest() {
    make_city(folder_.path(), "oslo", "database", 3, 8);
    config_.output = folder_.path() / "streets.nwp";
    config_.height = 24;
    config_.threads = 2;
  }

  // Packs everything under the test's folder; stops after `most` photographs.
  PackSummary pack(int64_t most = 1'000'000) {
    const auto source = open_source(folder_.path() / "train_val");
    const Selection all = select_photos(
        *source, {}, 1, [](int64_t, int64_t) {}, [] { return false; });
    int64_t seen = 0;
    return pack_photos(
        *source, all.photos, config_, [&](int64_t, int64_t) { ++seen; }, [&] { return seen >= most; });
  }

  std::string refusal() {
    try {
      PackReader::open(config_.output);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      return error.what();
    }
    return "";
  }

  std::vector<uint8_t> file_bytes() {
    std::vector<uint8_t> bytes;
    EXPECT_TRUE(read_file(config_.output, bytes));
    return bytes;
  }

  TestFolder folder_;
  PackConfig config_;
};

}  // namespace nowhere
