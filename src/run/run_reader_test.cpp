#include "run/run_reader.h"

#include <gtest/gtest.h>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"
#include "run/best_checkpoint.h"
#include "run/folder_store.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

// A checkpoint whose weights are a single number, which tells it from the others.
Value checkpoint(float weight) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&weight);
  Dict state, file;
  state.add("main.0.weight",
            make_tensor(Dtype::kFloat32, {1}, std::vector<uint8_t>(bytes, bytes + sizeof weight)));
  file.add("G_state_dict", state);
  return file;
}

// What a file of the reference holds that saved the epoch in place of the weights.
Value broken_checkpoint() {
  Dict file;
  file.add("epoch", 3);
  file.add("G_state_dict", 3);
  return file;
}

std::string refusal(const std::function<void()>& act, Exit exit) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), exit);
    return error.what();
  }
  return "";
}

TEST(CheckpointName, ReadsWhatItWrites) {
  for (const CheckpointName name :
       {CheckpointName{.epoch = 0}, CheckpointName{.epoch = 12, .slim = true},
        CheckpointName{.epoch = 3, .batches = 40}, CheckpointName{.epoch = 999'999'999'999'999'999}})
    EXPECT_EQ(CheckpointName::parse(name.file_name()), name) << name.file_name();
  EXPECT_EQ(CheckpointName::parse("slim_checkpoint_7.pt"), (CheckpointName{.epoch = 7, .slim = true}));
  EXPECT_EQ(CheckpointName::parse("checkpoint_3_batch_40.pt"), (CheckpointName{.epoch = 3, .batches = 40}));
}

TEST(CheckpointName, RefusesOtherNames) {
  for (const char* name :
       {"", "checkpoint_.pt", "checkpoint_3", "checkpoint_3.pt.tmp", "checkpoint_-3.pt", "my_checkpoint_3.pt",
        "checkpoint_3_batch_.pt", "checkpoint_3_batch_4x.pt", "checkpoint_1000000000000000000000.pt",
        "slim_slim_checkpoint_3.pt", "checkpoint_3.pth"})
    EXPECT_FALSE(CheckpointName::parse(name)) << name;
}

TEST(FolderStore, WritesReadsListsAndRemoves) {
  const TestFolder folder;
  FolderStore store(folder.path());
  const std::vector<uint8_t> bytes = {1, 2, 3};
  store.write("a", bytes);
  fs::create_directory(folder.path() / "figures");  // folders are not files
  ASSERT_EQ(store.list().size(), 1u);
  EXPECT_EQ(store.list()[0].name, "a");
  EXPECT_EQ(store.list()[0].stamp, store.stamp("a"));
  const auto content = store.read("a");
  ASSERT_TRUE(content);
  EXPECT_TRUE(std::ranges::equal(content->bytes, bytes));
  store.remove("a");
  store.remove("a");
  EXPECT_FALSE(store.stamp("a"));
  EXPECT_FALSE(store.read("a"));
  EXPECT_TRUE(FolderStore(folder.path() / "absent").list().empty());
}

TEST(FolderStore, AStampChangesWithTheFile) {
  const TestFolder folder;
  FolderStore store(folder.path());
  store.write("a", std::vector<uint8_t>{1, 2, 3});
  const auto before = store.stamp("a");
  EXPECT_EQ(store.stamp("a"), before);
  store.write("a", std::vector<uint8_t>{1, 2, 4});  // as long as before, and perhaps within the same tick
  EXPECT_NE(store.stamp("a"), before);
}

TEST(RunReader, TheNewestIsFoundAndSlimBeforeFull) {
  const TestFolder folder;
  write_torch_file(folder.path() / "checkpoint_9.pt", checkpoint(1));
  write_torch_file(folder.path() / "checkpoint_10.pt", checkpoint(2));
  const RunReader run = RunReader::open(folder.path());
  EXPECT_EQ(run.find().name, "checkpoint_10.pt");
  write_torch_file(folder.path() / "slim_checkpoint_10.pt", checkpoint(3));
  EXPECT_EQ(run.find().name, "slim_checkpoint_10.pt");
  EXPECT_EQ(run.find().epoch, 10u);
}

TEST(RunReader, EpochsAreListedOnceWithoutThoseWithinAnEpoch) {
  const TestFolder folder;
  write_torch_file(folder.path() / "checkpoint_1.pt", checkpoint(1));
  write_torch_file(folder.path() / "checkpoint_2.pt", checkpoint(2));
  write_torch_file(folder.path() / "slim_checkpoint_2.pt", checkpoint(2));
  write_torch_file(folder.path() / "checkpoint_2_batch_7.pt", checkpoint(3));
  const RunReader run = RunReader::open(folder.path());
  const auto epochs = run.epochs();
  ASSERT_EQ(epochs.size(), 2u);
  EXPECT_EQ(epochs[0].name, "checkpoint_1.pt");
  EXPECT_EQ(epochs[1].name, "slim_checkpoint_2.pt");
  EXPECT_EQ(run.find().name, "checkpoint_2_batch_7.pt");
  EXPECT_EQ(run.find(2), epochs[1]);
  EXPECT_NE(refusal([&] { run.find(3); }, Exit::kData).find("there are: 2 of them, from 1 to 2"),
            std::string::npos);
}

TEST(RunReader, ALoneCheckpointHasNoEpochsToChooseFrom) {
  const TestFolder folder;
  const fs::path file = folder.path() / "mine.pt";
  write_torch_file(file, checkpoint(1));
  const RunReader run = RunReader::open(file);
  EXPECT_TRUE(run.lone_checkpoint());
  EXPECT_EQ(run.name(), "mine");
  EXPECT_EQ(run.find().name, "mine.pt");
  EXPECT_TRUE(run.epochs().empty());
  refusal([&] { run.find(1); }, Exit::kUsage);
  EXPECT_NE(refusal([&] { RunReader::open(folder.path() / "absent"); }, Exit::kData), "");
}

TEST(RunReader, BrokenSlimFilesOfTheReferenceLeadToTheFullOnes) {
  const TestFolder folder;
  write_torch_file(folder.path() / "slim_checkpoint_3.pt", broken_checkpoint());
  for (const fs::path& path : {folder.path(), folder.path() / "slim_checkpoint_3.pt"}) {
    fs::remove(folder.path() / "checkpoint_3.pt");
    const RunReader run = RunReader::open(path);
    EXPECT_NE(refusal([&] { run.read(run.find()); }, Exit::kData).find("checkpoint_3.pt beside it"),
              std::string::npos);
    write_torch_file(folder.path() / "checkpoint_3.pt", checkpoint(7));
    const RunReader::Content content = run.read(run.find());
    EXPECT_EQ(content.file.name, "checkpoint_3.pt");
    EXPECT_NE(content.value.find("G_state_dict")->dict(), nullptr);
  }
}

TEST(RunReader, OtherFilesAreRefused) {
  const TestFolder folder;
  const RunReader run = RunReader::open(folder.path());
  EXPECT_NE(refusal([&] { run.find(); }, Exit::kData).find("holds no checkpoint"), std::string::npos);
  write_torch_file(folder.path() / "x.pt", Dict());
  const RunReader other = RunReader::open(folder.path() / "x.pt");
  EXPECT_NE(refusal([&] { other.read(other.find()); }, Exit::kData).find("not a checkpoint"),
            std::string::npos);
}

TEST(RunReader, TellsTheDataWithoutItsPlace) {
  const TestFolder folder;
  const RunReader run = RunReader::open(folder.path());
  EXPECT_EQ(run.trained_on(), "");
  write_file(folder.path() / "config.json", std::string_view(R"({"dataroot": "/secret/place/streets.nwp"})"));
  EXPECT_EQ(run.trained_on(), "streets.nwp");
  write_file(folder.path() / "config.json", std::string_view("{broken"));
  EXPECT_EQ(run.trained_on(), "");
}

TEST(BestCheckpoint, IsReadBackByItsMetricOnly) {
  const TestFolder folder;
  const RunDirectory run(folder.path());
  EXPECT_FALSE(read_best(run, "swd"));
  const BestCheckpoint best{"swd", 4, -12.5};
  write_best(run, best);
  EXPECT_EQ(read_best(run, "swd"), best);
  EXPECT_FALSE(read_best(run, "diversity"));
  write_file(run.best(), std::string_view("{"));
  EXPECT_FALSE(read_best(run, "swd"));
}

}  // namespace
}  // namespace nowhere
