#include "launch/world.h"

#include <gtest/gtest.h>

#include <map>

#include "core/error.h"

namespace nowhere {
namespace {

Environment holding(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found != variables.end() ? std::optional(found->second) : std::nullopt;
  };
}

std::string refusal(std::map<std::string, std::string> variables) {
  try {
    world_of(holding(std::move(variables)));
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    return error.what();
  }
  return "accepted";
}

TEST(World, NobodySpeaksOfAGroup) {
  EXPECT_FALSE(world_of(holding({})));
  // In a job's script, outside of srun.
  EXPECT_FALSE(world_of(holding({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}})));
  EXPECT_FALSE(world_of(holding({{"OMPI_COMM_WORLD_SIZE", "1"}})));
}

TEST(World, OfTorchrun) {
  const auto world = world_of(holding({{"RANK", "9"},
                                       {"WORLD_SIZE", "16"},
                                       {"LOCAL_RANK", "1"},
                                       {"LOCAL_WORLD_SIZE", "8"},
                                       {"MASTER_ADDR", "10.0.0.1"},
                                       {"MASTER_PORT", "29500"},
                                       {"TORCHELASTIC_RESTART_COUNT", "2"},
                                       {"TORCHELASTIC_USE_AGENT_STORE", "True"}}));
  ASSERT_TRUE(world);
  EXPECT_EQ(world->rank, 9);
  EXPECT_EQ(world->size, 16);
  EXPECT_EQ(world->local_rank, 1);
  EXPECT_EQ(world->local_size, 8);
  EXPECT_EQ(world->address, "10.0.0.1");
  EXPECT_EQ(world->port, 29500);
  EXPECT_EQ(world->restarts, 2);
  EXPECT_TRUE(world->store_runs);
  EXPECT_FALSE(world->is_main());
  EXPECT_FALSE(world->listening);
}

TEST(World, OfOurLauncher) {
  const auto world = world_of(holding({{"RANK", "0"},
                                       {"WORLD_SIZE", "2"},
                                       {"LOCAL_RANK", "0"},
                                       {"LOCAL_WORLD_SIZE", "2"},
                                       {"MASTER_ADDR", "127.0.0.1"},
                                       {"MASTER_PORT", "4321"},
                                       {"NOWHERE_LISTENING", "7"}}));
  ASSERT_TRUE(world);
  EXPECT_EQ(world->listening, 7);
  EXPECT_FALSE(world->store_runs);
  EXPECT_TRUE(world->is_main());
}

TEST(World, OfSlurm) {
  std::map<std::string, std::string> variables{{"SLURM_STEP_ID", "0"},
                                               {"SLURM_NTASKS", "11"},
                                               {"SLURM_PROCID", "9"},
                                               {"SLURM_LOCALID", "1"},
                                               {"SLURM_NODEID", "2"},
                                               {"SLURM_STEP_TASKS_PER_NODE", "4(x2),3"},
                                               {"SLURM_STEP_NODELIST", "gpu[07-09]"},
                                               {"SLURM_JOB_ID", "12003"},
                                               {"SLURM_RESTART_COUNT", "1"}};
  const auto world = world_of(holding(variables));
  ASSERT_TRUE(world);
  EXPECT_EQ(world->rank, 9);
  EXPECT_EQ(world->size, 11);
  EXPECT_EQ(world->local_rank, 1);
  EXPECT_EQ(world->local_size, 3);
  EXPECT_EQ(world->address, "gpu07");
  EXPECT_EQ(world->port, 20003);
  EXPECT_EQ(world->restarts, 1);

  variables["MASTER_ADDR"] = "head";
  variables["MASTER_PORT"] = "4000";
  EXPECT_EQ(world_of(holding(variables))->address, "head");
  EXPECT_EQ(world_of(holding(variables))->port, 4000);
}

TEST(World, OfOpenMpi) {
  std::map<std::string, std::string> variables{{"OMPI_COMM_WORLD_RANK", "3"},
                                               {"OMPI_COMM_WORLD_SIZE", "4"},
                                               {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                               {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
  EXPECT_NE(refusal(variables).find("MASTER_ADDR"), std::string::npos);
  variables["MASTER_ADDR"] = "a";
  EXPECT_NE(refusal(variables).find("MASTER_PORT"), std::string::npos);
  variables["MASTER_PORT"] = "1";
  const auto world = world_of(holding(variables));
  ASSERT_TRUE(world);
  EXPECT_EQ(world->rank, 3);
  EXPECT_EQ(world->size, 4);
  EXPECT_EQ(world->local_rank, 1);
  EXPECT_EQ(world->local_size, 2);
}

TEST(World, WhatMakesNoSenseIsNamed) {
  EXPECT_NE(refusal({{"RANK", "0"}}).find("WORLD_SIZE is not in the environment"), std::string::npos);
  EXPECT_NE(refusal({{"RANK", "2"}, {"WORLD_SIZE", "2"}}).find("RANK is '2'"), std::string::npos);
  EXPECT_NE(refusal({{"RANK", "x"}, {"WORLD_SIZE", "2"}}).find("RANK is 'x'"), std::string::npos);
  EXPECT_NE(refusal({{"RANK", "0"}, {"WORLD_SIZE", "0"}}).find("WORLD_SIZE is '0'"), std::string::npos);
  EXPECT_NE(refusal({{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "70000"}})
                .find("MASTER_PORT is '70000'"),
            std::string::npos);
}

TEST(World, FirstHostOfSlurmsList) {
  EXPECT_EQ(first_host("node"), "node");
  EXPECT_EQ(first_host("a,b"), "a");
  EXPECT_EQ(first_host("node[07-09,12],gpu1"), "node07");
  EXPECT_EQ(first_host("node[3]"), "node3");
  EXPECT_EQ(first_host("rack[1-2]-n,x"), "rack1-n");
  EXPECT_EQ(first_host("a,node[1-2]"), "a");
  EXPECT_EQ(first_host("broken["), "broken");
}

TEST(World, TasksOfSlurmsNodes) {
  EXPECT_EQ(tasks_of_node("8", 0), 8);
  EXPECT_EQ(tasks_of_node("4(x2),3", 0), 4);
  EXPECT_EQ(tasks_of_node("4(x2),3", 1), 4);
  EXPECT_EQ(tasks_of_node("4(x2),3", 2), 3);
  EXPECT_EQ(tasks_of_node("4(x2),3", 3), std::nullopt);
  EXPECT_EQ(tasks_of_node("x", 0), std::nullopt);
}

}  // namespace
}  // namespace nowhere
