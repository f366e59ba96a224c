#include "observe/tool.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/test_folder.h"

namespace nowhere {
namespace {

constexpr std::chrono::minutes kLong{1};

TEST(Tool, IsFoundOnThePath) {
  const TestFolder folder;
  write_file(folder.path() / "tool", std::string_view("#!/bin/sh\n"));
  const std::string path_variable = "/nowhere::" + folder.path().string();
  EXPECT_FALSE(find_program("tool", path_variable));  // not executable
  std::filesystem::permissions(folder.path() / "tool", std::filesystem::perms::owner_all);
  EXPECT_EQ(find_program("tool", path_variable), folder.path() / "tool");
  EXPECT_EQ(find_program((folder.path() / "tool").string(), ""), folder.path() / "tool");
  EXPECT_FALSE(find_program("tool", ""));
  EXPECT_FALSE(find_program(folder.path().string(), ""));
}

TEST(Tool, AnswersOnStdout) {
  // No shell: the words arrive as they are.
  EXPECT_EQ(run_program("/bin/echo", {"a b", "$HOME", ";"}, kLong).value(), "a b $HOME ;\n");
}

TEST(Tool, LongOutputIsCut) {
  const auto text = run_program("/bin/sh", {"-c", "head -c 300000 /dev/zero"}, kLong);
  ASSERT_TRUE(text) << text.error().reason;
  EXPECT_EQ(text->size(), 64 * 1024u);
}

TEST(Tool, FailuresAreTold) {
  EXPECT_FALSE(run_program("/bin/false", {}, kLong));
  EXPECT_FALSE(run_program("/nowhere/tool", {}, kLong));
  EXPECT_FALSE(run_program("/bin/sh", {"-c", "kill -9 $$"}, kLong));
}

TEST(Tool, WhatDoesNotEndIsKilled) {
  const auto text = run_program("/bin/sh", {"-c", "sleep 1000 & sleep 1000"}, std::chrono::milliseconds(100));
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().reason.find("longer than 100 ms"), std::string::npos) << text.error().reason;
}

TEST(Tool, GivesUpWhenAskedTo) {
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(run_program("/bin/sleep", {"1000"}, kLong, source.get_token()));
}

}  // namespace
}  // namespace nowhere
