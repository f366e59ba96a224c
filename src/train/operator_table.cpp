#include "train/operator_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "core/text.h"

namespace nowhere {
namespace {

std::string milliseconds(int64_t nanoseconds) {
  return fmt::format("{:.3f}", static_cast<double>(nanoseconds) / 1e6);
}

std::string share_text(int64_t part, int64_t whole) {
  return whole > 0 ? fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole))
                   : "-";
}

std::string signed_bytes(int64_t bytes) {
  if (bytes == 0) return "0";
  const std::string size = human_bytes(static_cast<uint64_t>(std::abs(bytes)));
  return bytes < 0 ? fmt::format("-{}", size) : size;
}

// The calls in the order of their beginnings; of two that begin at once, the longer is the outer one.
std::vector<const OperatorCall*> in_order(const std::vector<OperatorCall>& calls) {
  std::vector<const OperatorCall*> order;
  for (const OperatorCall& call : calls) order.push_back(&call);
  std::stable_sort(order.begin(), order.end(), [](const OperatorCall* a, const OperatorCall* b) {
    return a->begin_ns != b->begin_ns ? a->begin_ns < b->begin_ns : a->end_ns > b->end_ns;
  });
  return order;
}

// Calls under way, by thread, the innermost last.
using Stacks = std::unordered_map<uint64_t, std::vector<const OperatorCall*>>;

void leave_ended(std::vector<const OperatorCall*>& stack, int64_t time_ns) {
  while (!stack.empty() && stack.back()->end_ns <= time_ns) stack.pop_back();
}

using ByName = std::map<std::string, OperatorTotals>;

void add_calls(const OperatorProfile& profile, ByName& totals) {
  Stacks stacks;
  for (const OperatorCall* call : in_order(profile.calls)) {
    auto& stack = stacks[call->thread];
    leave_ended(stack, call->begin_ns);
    const int64_t duration = call->end_ns - call->begin_ns;
    OperatorTotals& own = totals[call->name];
    ++own.calls;
    own.self_cpu_ns += duration;
    const bool recursive = std::any_of(stack.begin(), stack.end(),
                                       [&](const OperatorCall* outer) { return outer->name == call->name; });
    if (!recursive) own.cpu_ns += duration;
    if (!stack.empty()) totals[stack.back()->name].self_cpu_ns -= duration;
    stack.push_back(call);
  }
}

void add_work(const OperatorProfile& profile, ByName& totals) {
  std::unordered_map<uint64_t, const OperatorCall*> calls;
  for (const OperatorCall& call : profile.calls)
    if (call.correlation != 0) calls[call.correlation] = &call;
  for (const DeviceWork& work : profile.work)
    if (const auto call = calls.find(work.correlation); call != calls.end())
      totals[call->second->name].self_device_ns += work.duration_ns;
}

void add_allocations(const OperatorProfile& profile, ByName& totals) {
  std::vector<Allocation> allocations = profile.allocations;
  std::stable_sort(allocations.begin(), allocations.end(),
                   [](const Allocation& a, const Allocation& b) { return a.time_ns < b.time_ns; });
  const auto order = in_order(profile.calls);
  auto next = order.begin();
  Stacks stacks;
  for (const Allocation& allocation : allocations) {
    for (; next != order.end() && (*next)->begin_ns <= allocation.time_ns; ++next) {
      auto& stack = stacks[(*next)->thread];
      leave_ended(stack, (*next)->begin_ns);
      stack.push_back(*next);
    }
    auto& stack = stacks[allocation.thread];
    leave_ended(stack, allocation.time_ns);
    if (!stack.empty()) totals[stack.back()->name].self_bytes += allocation.bytes;
  }
}

}  // namespace

std::vector<OperatorTotals> operator_totals(const OperatorProfile& profile) {
  ByName by_name;
  add_calls(profile, by_name);
  add_work(profile, by_name);
  add_allocations(profile, by_name);
  std::vector<OperatorTotals> totals;
  for (auto& [name, one] : by_name) {
    totals.push_back(one);
    totals.back().name = name;
  }
  std::stable_sort(totals.begin(), totals.end(), [](const OperatorTotals& a, const OperatorTotals& b) {
    return a.self_cpu_ns + a.self_device_ns > b.self_cpu_ns + b.self_device_ns;
  });
  return totals;
}

std::string operator_table(const std::vector<OperatorTotals>& totals, size_t most, int64_t steps) {
  int64_t cpu = 0, device = 0;
  for (const OperatorTotals& one : totals) {
    cpu += one.self_cpu_ns;
    device += one.self_device_ns;
  }
  std::vector<std::string> heading = {"operator", "calls", "self CPU ms", "self CPU", "CPU ms"};
  if (device > 0) heading.insert(heading.end(), {"self device ms", "self device"});
  heading.emplace_back("self memory");
  Table table(heading);
  for (size_t i = 0; i < std::min(most, totals.size()); ++i) {
    const OperatorTotals& one = totals[i];
    std::vector<std::string> row = {printable_text(one.name), with_commas(one.calls),
                                    milliseconds(one.self_cpu_ns), share_text(one.self_cpu_ns, cpu),
                                    milliseconds(one.cpu_ns)};
    if (device > 0)
      row.insert(row.end(), {milliseconds(one.self_device_ns), share_text(one.self_device_ns, device)});
    row.push_back(signed_bytes(one.self_bytes));
    table.add(std::move(row));
  }
  std::string text = fmt::format("{} steps: {} ms on the CPU", steps, milliseconds(cpu));
  if (device > 0) text += fmt::format(", {} ms on the device", milliseconds(device));
  text += "\n\n";
  text += table.text("");
  if (totals.size() > most) text += fmt::format("and {} more\n", totals.size() - most);
  return text;
}

}  // namespace nowhere
