#include <gtest/gtest.h>

#include <limits>

#include "archive/pickle_graph.h"
#include "archive/pickle_reader.h"
#include "archive/pickle_writer.h"

namespace nowhere {
namespace {

using std::string_literals::operator""s;

// Every storage has 24 bytes.
Result<Value> read(std::string_view pickle) {
  static const std::vector<uint8_t> storage(24, 1);
  return read_pickle({reinterpret_cast<const uint8_t*>(pickle.data()), pickle.size()},
                     [](const StorageRequest& wanted) -> Result<Storage> {
                       if (wanted.key == "gone") return Failure{"gone"};
                       return Storage{storage, nullptr};
                     });
}

Value read_good(std::string_view pickle) {
  auto value = read(pickle);
  EXPECT_TRUE(value) << value.error().reason;
  return value ? *value : Value();
}

std::string reason(std::string_view pickle) {
  const auto value = read(pickle);
  return value ? "it was read as " + std::string(value->kind()) : value.error().reason;
}

testing::AssertionResult refuses(std::string_view pickle, std::string_view words) {
  const std::string why = reason(pickle);
  if (why.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "the reason was: " << why;
}

// The pickle of a tensor, with its persistent id's and its own arguments as opcodes.
std::string tensor(const std::string& key_and_count, const std::string& offset_shape_strides) {
  return "\x80\x02"
         "ctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\nFloatStorage\n"s +
         key_and_count + "tQ" + offset_shape_strides + "\x89" + "ccollections\nOrderedDict\n)RtR.";
}
const std::string kSix = "X\x01\0\0\0"s + "0X\x03\0\0\0"s + "cpuK\x06";  // storage "0" of 6 floats

TEST(PickleReader, ReadsEveryProtocolsScalars) {
  EXPECT_TRUE(read_good("\x80\x02N.").is_none());
  EXPECT_EQ(read_good("\x88.").boolean(), true);
  EXPECT_EQ(read_good("J\xff\xff\xff\xff.").integer(), -1);
  EXPECT_EQ(read_good("M\x01\x02.").integer(), 0x201);
  EXPECT_EQ(read_good("\x8a\x00."s).integer(), 0);
  EXPECT_EQ(read_good("\x8a\x01\x80.").integer(), -128);
  EXPECT_EQ(read_good("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f.").integer(),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(read_good("\x8b\x02\0\0\0\x00\x01."s).integer(), 256);
  EXPECT_EQ(read_good("G\x3f\xf8\0\0\0\0\0\0."s).number(), 1.5);
  EXPECT_EQ(*read_good("\x8c\x02hi.").text(), "hi");
  EXPECT_EQ(*read_good("\x8d\x02\0\0\0\0\0\0\0hi."s).text(), "hi");
  EXPECT_EQ(*read_good("C\x01\xff.").bytes(), Bytes{0xff});
  EXPECT_EQ(*read_good("\x96\x01\0\0\0\0\0\0\0\xff."s).bytes(), Bytes{0xff});
  EXPECT_EQ(*read_good("c_codecs\nencode\n\x8c\x03z\xc3\xbf\x8c\x06latin1\x86R.").bytes(),
            (Bytes{'z', 0xff}));
  EXPECT_TRUE(read_good("c__builtin__\nbytes\n)R.").bytes()->empty());
  EXPECT_EQ(read_good("\x80\x05\x95\x03\0\0\0\0\0\0\0K\x05."s).integer(), 5);
}

TEST(PickleReader, SharedObjectsGrowEverywhere) {
  // a = []; b = [a, a]; then 7 goes into a, by way of the memo, while b is on the stack; (a, (b, a)) at the
  // end.
  const Value pair = read_good(
      "]q\x05]q\x06(h\x05h\x05"
      "eh\x05K\x07"
      "a\x86\x86.");
  ASSERT_EQ(pair.items()->size(), 2u);
  const Value& value = pair.items()->at(1).items()->at(0);
  ASSERT_EQ(value.items()->size(), 2u);
  EXPECT_EQ(value.items()->at(0).items()->at(0).integer(), 7);
  EXPECT_EQ(value.items()->at(1).items()->at(0).integer(), 7);
}

TEST(PickleReader, MetadataOfAStateDictIsDropped) {
  const Value value = read_good("ccollections\nOrderedDict\n)R(\x8c\x01wK\x01u}\x8c\x09_metadata}sb.");
  ASSERT_NE(value.dict(), nullptr);
  EXPECT_EQ(value.dict()->entries.size(), 1u);
  EXPECT_TRUE(refuses("}}b.", "OrderedDict"));
}

TEST(PickleReader, RebuildsTensors) {
  const Value value = read_good(tensor(kSix, "K\x01K\x02\x85K\x03\x85"));
  ASSERT_NE(value.tensor(), nullptr);
  EXPECT_EQ(value.tensor()->offset, 1);
  EXPECT_EQ(value.tensor()->shape, std::vector<int64_t>{2});
  EXPECT_EQ(value.tensor()->strides, std::vector<int64_t>{3});
  EXPECT_EQ(value.tensor()->storage.size(), 24u);
}

TEST(PickleReader, RefusesTensorsThatReachOutside) {
  EXPECT_TRUE(refuses(tensor(kSix, "K\x01K\x02\x85K\x05\x85"), "reaches outside"));
  EXPECT_TRUE(refuses(tensor(kSix, "J\xff\xff\xff\xffK\x02\x85K\x01\x85"), "negative"));
  EXPECT_TRUE(refuses(tensor(kSix, "K\x00K\x02\x85\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x85"s),
                      "reaches outside"));
  EXPECT_TRUE(refuses(tensor(kSix, "K\x01K\x02\x85)"), "one stride"));
  EXPECT_TRUE(refuses(tensor(kSix, "K\x01N\x85)"), "not all numbers"));
  EXPECT_TRUE(
      refuses(tensor("X\x01\0\0\0"s + "0X\x03\0\0\0"s + "cpuK\x07", "K\x00))"s), "should have 7 x float32"));
  EXPECT_TRUE(refuses(tensor("X\x04\0\0\0"s + "goneX\x03\0\0\0"s + "cpuK\x01", "K\x00))"s), "gone"));
  EXPECT_TRUE(refuses(tensor("X\x01\0\0\0"s + "0X\x03\0\0\0"s + "cpuJ\xff\xff\xff\xff", "K\x00))"s),
                      "named in a way"));
}

TEST(PickleReader, NamesWhatItRefuses) {
  EXPECT_TRUE(
      refuses("cposix\nsystem\n(X\x04\0\0\0truetR."s,
              "it asks for posix.system, which is not in the list of what a checkpoint may hold; nothing "
              "was executed"));
  EXPECT_TRUE(
      refuses("\x8c\x08"
              "builtins\x8c\x04"
              "eval\x93\x8c\x01"
              "1\x85R.",
              "builtins.eval"));
  EXPECT_TRUE(refuses("cbuiltins\ngetattr\n.", "builtins.getattr"));
  EXPECT_TRUE(refuses("ctorch.storage\n_load_from_bytes\n.", "torch.storage._load_from_bytes"));
  EXPECT_TRUE(refuses("ccollections\nOrderedDict.__reduce__\n.", "OrderedDict.__reduce__"));
  EXPECT_TRUE(refuses("cos\x1b[2J\nx\n.", "os\\x1b[2J.x"));
  EXPECT_TRUE(refuses("ccollections\nOrderedDict\n.", "where a value should be"));
  EXPECT_TRUE(refuses("ctorch\nFloatStorage\n)R.", "called in a way"));
  EXPECT_TRUE(refuses("c_codecs\nencode\n\x8c\x01z\x8c\x05utf-8\x86R.", "called in a way"));
  EXPECT_TRUE(refuses("K\x01)R.", "not a function"));
  EXPECT_TRUE(refuses("(ios\nsystem\n.", "0x69"));
}

TEST(PickleReader, RefusesDamage) {
  for (const std::string& pickle : {""s,
                                    "N"s,
                                    "."s,
                                    "K"s,
                                    "X\xff\xff\xff\xff."s,
                                    "\x8d\xff\xff\xff\xff\xff\xff\xff\xff."s,
                                    "t."s,
                                    "e."s,
                                    "(."s,
                                    "(e."s,
                                    "]K\x01"s + "u."s,
                                    "](K\x01u."s,
                                    "}(K\x01u."s,
                                    "K\x01K\x01"s + "a."s,
                                    "N(N"s + "a."s,
                                    "h\x00."s,
                                    "q\x00."s,
                                    "\x94."s,
                                    "cos"s,
                                    "cos\nsystem"s,
                                    "N\x93."s,
                                    "NN\x93."s,
                                    "NQ."s,
                                    "NR."s,
                                    "Nb."s,
                                    "\x80\x06N."s,
                                    "\x87."s,
                                    "Q."s,
                                    ")\x91."s})
    EXPECT_FALSE(read(pickle)) << testing::PrintToString(pickle);
  EXPECT_TRUE(refuses("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x01.", "64 bits"));
  EXPECT_TRUE(refuses("}(K\x01NK\x01Nu.", "twice"));
  EXPECT_TRUE(refuses("}(\x8c\x01kN\x8c\x01kNu.", "key k twice"));
  EXPECT_TRUE(refuses("}]Ns.", "a list as a key"));
}

TEST(PickleReader, RefusesWhatContainsItself) {
  EXPECT_TRUE(
      refuses("]q\x01h\x01"
              "a.",
              "contain themselves"));
  EXPECT_TRUE(refuses("}q\x01K\x01h\x01s.", "contain themselves"));
  EXPECT_TRUE(
      refuses("]q\x01(h\x01h\x01h\x01"
              "e.",
              "contain themselves"));
}

TEST(PickleReader, RefusesWhatUnfoldsWithoutEnd) {
  // Each list holds the one before twice: 2^60 values in a few hundred bytes.
  std::string lists = "]";
  for (char i = 0; i < 60; ++i) lists += std::string("q") + i + "]h" + i + "ah" + i + "a";
  EXPECT_TRUE(refuses(lists + ".", "2,000,000 values more than it spells out"));
  // A thousand lists of a thousand times one text of a megabyte.
  std::string texts = "\x8d"s + "\0\0\x10\0\0\0\0\0"s + std::string(1 << 20, 'x') + "q\x01]q\x02(";
  for (int i = 0; i < 1000; ++i) texts += "h\x01";
  texts += "e](";
  for (int i = 0; i < 1000; ++i) texts += "h\x02";
  EXPECT_TRUE(refuses(texts + "e.", "more than 268 MB of text"));
  EXPECT_TRUE(refuses(std::string(1000, ']') + std::string(999, 'a') + ".", "nested deeper"));
  EXPECT_TRUE(refuses(std::string(kMaxValues + 1, 'N') + ".", "more than 4,000,000 values"));
}

// Runs of earlier versions kept every log point.
TEST(PickleReader, ReadsListsOfMillions) {
  constexpr size_t kPoints = 2'100'000;
  std::string pickle = "](";
  for (size_t point = 0; point < kPoints; ++point) pickle += "G\x3f\xe0\0\0\0\0\0\0"s;
  const auto value = read(pickle + "e.");
  ASSERT_TRUE(value) << value.error().reason;
  EXPECT_EQ(value->items()->size(), kPoints);
  EXPECT_EQ(value->items()->back().number(), 0.5);
}

TEST(PickleWriter, WhatIsWrittenIsReadBack) {
  const std::vector<uint8_t> storage(48);
  TensorData whole = make_tensor(Dtype::kFloat32, {3, 4}, storage, nullptr);
  TensorData turned = whole;
  turned.shape = {4, 3};
  turned.strides = {1, 4};
  TensorData wide = make_tensor(Dtype::kFloat64, {6}, storage, nullptr);  // the same bytes as another type
  Dict dict;
  dict.add("numbers",
           List{{0, 255, 256, -1, 1 << 20, int64_t{1} << 40, std::numeric_limits<int64_t>::min()}});
  dict.add("floats", Tuple{{0.1, -0.0, std::numeric_limits<double>::infinity()}});
  dict.add(7, Tuple{});
  dict.add("text", "Ærøskøbing");
  dict.add("bytes", List{{Bytes{}, Bytes{0, 0x7f, 0x80, 0xbf, 0xc0, 0xff}}});
  dict.add("flags", List{{true, false, Value()}});
  dict.add("tensors", List{{whole, turned, wide, make_tensor(Dtype::kBool, {}, std::vector<uint8_t>{1}),
                            make_tensor(Dtype::kBfloat16, {0, 3}, std::vector<uint8_t>{})}});
  const Value value(dict);
  const Pickle pickle = write_pickle(value);
  EXPECT_EQ(pickle.storages.size(), 4u);
  const auto again = read_pickle(pickle.bytes, [&](const StorageRequest& wanted) -> Result<Storage> {
    return Storage{pickle.storages.at(std::stoul(wanted.key)), nullptr};
  });
  ASSERT_TRUE(again) << again.error().reason;
  EXPECT_EQ(*again->find("bytes")->items()->at(1).bytes(), (Bytes{0, 0x7f, 0x80, 0xbf, 0xc0, 0xff}));
  EXPECT_EQ(again->find("numbers")->items()->at(6).integer(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(again->find("tensors")->items()->at(1).tensor()->strides, turned.strides);
  EXPECT_EQ(write_pickle(*again).bytes, pickle.bytes);
}

TEST(PickleWriter, RefusesWhatCouldNotBeReadBack) {
  TensorData outside = make_tensor(Dtype::kFloat32, {2}, std::vector<uint8_t>(4));
  EXPECT_THROW(write_pickle(Value(outside)), Error);
  Value deep;
  for (int i = 0; i < kMaxValueDepth; ++i) deep = Value(List{{deep}});
  EXPECT_NO_THROW(write_pickle(deep));
  EXPECT_THROW(write_pickle(Value(List{{deep}})), Error);
  // Many dimensions are many values.
  const Value tensor(
      make_tensor(Dtype::kBool, std::vector<int64_t>(kMaxDimensions, 1), std::vector<uint8_t>{1}));
  EXPECT_THROW(write_pickle(Value(List{std::vector<Value>(kMaxValues / (2 * kMaxDimensions), tensor)})),
               Error);
}

}  // namespace
}  // namespace nowhere
