// Plans as tables for people and as JSON for programs.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "plan/run_plan.h"

namespace nowhere {

// The cheapest first.
std::string plan_text(const InstanceTable& table, const PlanRequest& request, std::vector<PlanRow> rows);
boost::json::object plan_json(const InstanceTable& table, const PlanRequest& request,
                              const std::vector<PlanRow>& rows);

// The reference's comparison of models and instances.
struct ComparedRow {
  std::string model;
  PlanRow row;
};
std::string comparison_text(const InstanceTable& table, const std::vector<ComparedRow>& rows);
boost::json::object comparison_json(const InstanceTable& table, const std::vector<ComparedRow>& rows);

}  // namespace nowhere
