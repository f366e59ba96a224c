#include "archive/torch_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "archive/pickle_writer.h"
#include "archive/zip_reader.h"
#include "archive/zip_writer.h"
#include "core/file.h"
#include "core/test_file_limit.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

Value checkpoint(size_t floats) {
  Dict model;
  std::vector<uint8_t> bytes(4 * floats);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 7);
  model.add("weight", make_tensor(Dtype::kFloat32, {static_cast<int64_t>(floats)}, std::move(bytes)));
  Dict dict;
  dict.add("model", std::move(model));
  dict.add("epoch", 3);
  return dict;
}

std::vector<uint8_t> bytes_of(const std::filesystem::path& path) {
  std::vector<uint8_t> bytes;
  EXPECT_TRUE(read_file(path, bytes));
  return bytes;
}

std::string reason(std::span<const uint8_t> file) {
  const auto value = read_torch_bytes(file);
  return value ? "it was read" : value.error().reason;
}

std::string refusal(const std::filesystem::path& path) {
  try {
    read_torch_file(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    return error.what();
  }
  return "it was read";
}

TEST(TorchFile, ComesBackTheSame) {
  const TestFolder folder;
  const auto first = folder.path() / "first.pt", second = folder.path() / "second.pt";
  write_torch_file(first, checkpoint(100));
  const Value value = read_torch_file(first);
  EXPECT_EQ(value.find("epoch")->integer(), 3);
  const TensorData* weight = value.find("model")->find("weight")->tensor();
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->bytes()[399], static_cast<uint8_t>(399 * 7));
  write_torch_file(second, value);
  EXPECT_EQ(bytes_of(first), bytes_of(second));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);  // nothing temporary
}

TEST(TorchFile, ReadsWhatPyTorchWrote) {
  const std::filesystem::path fixtures = std::filesystem::path(NOWHERE_FIXTURES) / "archive";
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(fixtures)) {
    if (entry.path().extension() != ".pt") continue;
    EXPECT_NE(read_torch_file(entry.path()).find("model"), nullptr) << entry.path();
    ++seen;
  }
  EXPECT_GE(seen, 2);
}

// The format before PyTorch 1.6, whose storages follow the pickles.
TEST(TorchFile, LegacyTensorsAreThoseOfTheZip) {
  const std::filesystem::path fixtures = std::filesystem::path(NOWHERE_FIXTURES) / "archive";
  const Value legacy = read_torch_file(fixtures / "legacy.pt"),
              zip = read_torch_file(fixtures / "values2.pt");
  const Pickle left = write_pickle(legacy), right = write_pickle(zip);
  EXPECT_EQ(left.bytes, right.bytes);
  ASSERT_EQ(left.storages.size(), right.storages.size());
  for (size_t i = 0; i < left.storages.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(left.storages[i], right.storages[i])) << i;
}

TEST(TorchFile, LegacyTruncatedAtAnyLengthIsRefused) {
  const auto whole = bytes_of(std::filesystem::path(NOWHERE_FIXTURES) / "archive" / "legacy.pt");
  ASSERT_TRUE(read_torch_bytes(whole));
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(read_torch_bytes(std::span(whole).first(size))) << size;
}

TEST(TorchFile, TruncatedAtAnyLengthIsRefused) {
  const TestFolder folder;
  const auto path = folder.path() / "whole.pt";
  write_torch_file(path, checkpoint(8));
  const auto whole = bytes_of(path);
  ASSERT_TRUE(read_torch_bytes(whole));
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(read_torch_bytes(std::span(whole).first(size))) << size;
}

TEST(TorchFile, AChangedByteIsRefusedOrChangesNothingOfTheData) {
  const TestFolder folder;
  const auto path = folder.path() / "whole.pt";
  write_torch_file(path, checkpoint(8));
  const auto whole = bytes_of(path);
  const auto pickle = write_pickle(*read_torch_bytes(whole)).bytes;
  for (size_t at = 0; at < whole.size(); ++at) {
    auto changed = whole;
    changed[at] ^= 0x55;
    const auto value = read_torch_bytes(changed);
    if (!value) continue;
    EXPECT_EQ(write_pickle(*value).bytes, pickle) << at;
  }
}

TEST(TorchFile, SaysWhatIsWrong) {
  const TestFolder folder;
  const auto path = folder.path() / "x.pt";
  EXPECT_NE(refusal(path).find("no such file"), std::string::npos) << refusal(path);
  write_file(path, std::string_view("\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.rest"));
  EXPECT_NE(refusal(path).find("pickle is damaged"), std::string::npos) << refusal(path);
  write_file(path, std::string_view("hello"));
  EXPECT_EQ(refusal(path), "cannot read " + path.string() + ": it is not a file of torch.save");

  write_torch_file(path, checkpoint(100));
  auto bytes = bytes_of(path);
  EXPECT_NE(reason(std::span(bytes).first(bytes.size() / 2)).find("truncated"), std::string::npos);
  const Value value = *read_torch_bytes(bytes);
  const auto data = value.find("model")->find("weight")->tensor()->bytes();
  const auto found = std::ranges::search(bytes, data);
  ASSERT_FALSE(found.empty());
  found[200] ^= 1;
  EXPECT_NE(reason(bytes).find("archive/data/0 is damaged (CRC error)"), std::string::npos) << reason(bytes);
}

TEST(TorchFile, RefusesOtherArchives) {
  const TestFolder folder;
  const auto path = folder.path() / "x.pt";
  const std::vector<uint8_t> pickle = {'N', '.'}, big = {'b', 'i', 'g'};
  const auto written = [&](std::vector<ZipRecord> records) {
    write_zip(path, records);
    return reason(bytes_of(path));
  };
  EXPECT_EQ(written({{"x/data.pkl", pickle}}), "it was read");
  EXPECT_NE(written({{"x/y/data.pkl", pickle}}).find("no data.pkl"), std::string::npos);
  EXPECT_NE(written({{"x/data.pkl", pickle}, {"x/byteorder", big}}).find("big-endian"), std::string::npos);
  const Value value = checkpoint(4);
  EXPECT_NE(written({{"x/data.pkl", write_pickle(value).bytes}}).find("x/data/0 is missing"),
            std::string::npos);
}

TEST(TorchFile, IsComparedWithWhatWasWritten) {
  const TestFolder folder;
  const auto path = folder.path() / "x.pt";
  const auto complaint = [&](const Value& value) -> std::string {
    try {
      check_torch_file(path, value);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  const Value value = checkpoint(1 << 19);  // 2 MB, more than is read at once
  EXPECT_NE(complaint(value).find("no such file"), std::string::npos);
  write_torch_file(path, value);
  EXPECT_EQ(complaint(value), "");
  EXPECT_NE(complaint(checkpoint(1 << 18)), "");
  const auto whole = bytes_of(path);
  for (const size_t at : {size_t{100}, size_t{1} << 20, whole.size() - 600}) {
    auto changed = whole;
    changed[at] ^= 1;
    write_file(path, changed);
    EXPECT_NE(complaint(value), "") << at;
  }
  write_file(path, std::span(whole).first(whole.size() - 1));
  EXPECT_NE(complaint(value), "");
}

// The writer keeps nobody from adding a key twice; the reader would refuse the file.
TEST(TorchFile, WhatTheReaderRefusesIsNoticedAfterWriting) {
  const TestFolder folder;
  const auto path = folder.path() / "x.pt";
  Dict twice;
  twice.add("epoch", 1);
  twice.add("epoch", 2);
  write_torch_file(path, twice);
  EXPECT_THROW(check_torch_file(path, twice), Error);
}

TEST(TorchFile, AFullDiskLeavesTheOldFile) {
  const TestFolder folder;
  const auto path = folder.path() / "x.pt";
  write_torch_file(path, checkpoint(100));
  const auto before = bytes_of(path);
  std::string message;
  // The second ends within the last buffer, which only the flush at the end writes.
  for (const size_t floats : {size_t{2} << 20, size_t{1} << 19}) {
    const TestFileLimit full(1 << 21);
    try {
      write_torch_file(path, checkpoint(floats));
      message = "it was written";
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, "cannot write " + path.string() + ": file too large");
  }
  EXPECT_EQ(bytes_of(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(TorchFile, AMissingFolderIsNamed) {
  const TestFolder folder;
  const auto path = folder.path() / "no" / "x.pt";
  try {
    write_torch_file(path, checkpoint(1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "cannot write " + path.string() + ": no such file or directory");
  }
}

}  // namespace
}  // namespace nowhere
