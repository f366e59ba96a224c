#include "plan/instance_table.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

// The message and exit code of an update with this text, "" and 0 when it is accepted.
std::pair<std::string, Exit> update_with(InstanceTable& table, const std::string& text) {
  const TestFolder folder;
  const auto file = folder.path() / "prices.json";
  write_file(file, text);
  try {
    table.update(file);
  } catch (const Error& error) {
    const std::string what = error.what();
    return {what.substr(std::min(what.find("prices.json"), what.size())), error.exit()};
  }
  return {"", Exit::kDone};
}

std::string refusal(const std::string& text) {
  InstanceTable table = InstanceTable::built_in();
  const auto [message, exit] = update_with(table, text);
  EXPECT_EQ(exit, Exit::kData) << text;
  return message;
}

TEST(InstanceTable, WhatIsBuiltInIsWhole) {
  const InstanceTable table = InstanceTable::built_in();
  EXPECT_EQ(table.date, "2022-01");
  EXPECT_EQ(table.instances.size(), 17U);
  const InstanceType& instance = table.instance("p3.8xlarge");
  EXPECT_EQ(instance.devices, 4);
  EXPECT_EQ(instance.dollars, 12.24);
  EXPECT_EQ(table.spot_dollars(instance), 3.67);
  EXPECT_DOUBLE_EQ(table.spot_dollars(table.instance("g4dn.metal")), 0.3 * 7.82) << "as nobody says";
  EXPECT_EQ(table.published("clamp-64", "p3.8xlarge")->images_per_hour, 6'605'504);
  EXPECT_EQ(table.published("clamp-64", "dl1.24xlarge"), nullptr);
}

TEST(InstanceTable, AnUnknownInstanceNamesOneThatIsNear) {
  const InstanceTable table = InstanceTable::built_in();
  try {
    table.instance("p3.2xlrage");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    EXPECT_TRUE(
        std::string(error.what())
            .starts_with(
                "there is no instance type 'p3.2xlrage'; did you mean p3.2xlarge? give one of p2.xlarge, "))
        << error.what();
  }
  EXPECT_THROW(table.disk("floppy"), Error);
  EXPECT_THROW(table.loader("tape"), Error);
}

TEST(InstanceTable, AFileChangesWhatItMentionsAndAddsTheRest) {
  InstanceTable table = InstanceTable::built_in();
  const auto [message, exit] = update_with(table, R"({"date": "2026-11", "instances": [
      {"type": "p3.2xlarge", "dollars": 2.5},
      {"type": "own", "devices": 1, "accelerator": "T4", "accelerator_gib": 16, "link": "pcie",
       "vcpus": 8, "memory_gib": 32, "dollars": 0.5}],
      "published": [{"model": "clamp-64", "instance": "own", "images_per_hour": 1000},
                    {"model": "clamp-64", "instance": "p3.8xlarge", "images_per_hour": 6260800}]})");
  EXPECT_EQ(message, "");
  EXPECT_EQ(table.date, "2026-11");
  EXPECT_EQ(table.instance("p3.2xlarge").dollars, 2.5);
  EXPECT_EQ(table.instance("p3.2xlarge").vcpus, 8) << "as before";
  EXPECT_EQ(table.instance("own").accelerator, "T4");
  EXPECT_EQ(table.published("clamp-64", "own")->images_per_hour, 1000);
  EXPECT_EQ(table.published("clamp-64", "p3.8xlarge")->images_per_hour, 6'260'800)
      << "in the place of the old";
  EXPECT_EQ(table.published("clamp-64", "p3.8xlarge")->note, "");
}

TEST(InstanceTable, ABrokenFileIsRefusedWithItsPlace) {
  EXPECT_NE(refusal("{\"date\": ").find("broken JSON"), std::string::npos);
  EXPECT_EQ(refusal("[]"), "prices.json: a JSON object in braces is expected");
  EXPECT_EQ(refusal(R"({"dte": "2026"})"), "prices.json: unknown key 'dte'; did you mean date?");
  EXPECT_EQ(refusal(R"({"instances": 7})"), "prices.json: instances is no list; put it in brackets");
  EXPECT_EQ(refusal(R"({"instances": [7]})"),
            "prices.json: an entry of instances is no object; put it in braces");
  EXPECT_EQ(refusal(R"({"instances": [{"dollars": 1}]})"),
            "prices.json: instances: an entry has no \"type\"; give it a text");
  EXPECT_EQ(
      refusal(R"({"instances": [{"type": "p3.2xlarge", "dollars": -3}]})"),
      "prices.json: instances: p3.2xlarge: dollars -3 is not accepted; give a number from 0.0001 to 1000000");
  EXPECT_EQ(refusal(R"({"instances": [{"type": "p3.2xlarge", "dollars": "cheap"}]})"),
            "prices.json: instances: p3.2xlarge: dollars cheap is not accepted; "
            "give a number from 0.0001 to 1000000");
  EXPECT_EQ(refusal(R"({"instances": [{"type": "p3.2xlarge", "dolars": 3}]})"),
            "prices.json: instances: p3.2xlarge: unknown key 'dolars'; did you mean dollars?");
  EXPECT_EQ(refusal(R"({"instances": [{"type": "own", "dollars": 3}]})"),
            "prices.json: own has no \"devices\"; give a number above 0");
  EXPECT_TRUE(refusal(R"({"instances": [{"type": "p3.2xlarge", "accelerator": "V1000"}]})")
                  .starts_with("prices.json: there is no accelerator 'V1000'; did you mean V100?"));
  EXPECT_TRUE(
      refusal(R"({"published": [{"model": "naive-64", "instance": "p9.large", "images_per_hour": 1}]})")
          .starts_with("prices.json: there is no instance type 'p9.large'"));
  EXPECT_EQ(refusal(R"({"published": [{"model": "naive-64", "instance": "p2.xlarge"}]})"),
            "prices.json: naive-64 on p2.xlarge has no \"images_per_hour\"; give a number above 0");
  InstanceTable table = InstanceTable::built_in();
  EXPECT_THROW(table.update("/nowhere/prices.json"), Error);
}

}  // namespace
}  // namespace nowhere
