#include "train/profiler.h"

#include <c10/util/Logging.h>
#include <fmt/core.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <ctime>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "train/operator_table.h"

namespace nowhere {
namespace {

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

constexpr const char* kKinetoSilent = "6";  // above every kind of message

ProfilerConfig profiler_config() {
  return ProfilerConfig(ProfilerState::KINETO, /*report_input_shapes=*/true, /*profile_memory=*/true);
}

std::set<ActivityType> activities(bool cuda) {
  return cuda ? std::set{ActivityType::CPU, ActivityType::CUDA} : std::set{ActivityType::CPU};
}

// Steps are not operators, and would take the self time of everything between operators.
OperatorProfile profile_of(const profiler::ProfilerResult& result) {
  OperatorProfile profile;
  for (const profiler::KinetoEvent& event : result.events()) {
    const auto begin = static_cast<int64_t>(event.startNs()), end = static_cast<int64_t>(event.endNs());
    if (event.deviceType() != c10::DeviceType::CPU)
      profile.work.push_back({event.linkedCorrelationId(), end - begin});
    else if (event.name() == "[memory]")
      profile.allocations.push_back({event.startThreadId(), begin, event.nBytes()});
    else if (!event.name().starts_with("ProfilerStep#"))
      profile.calls.push_back({event.name(), event.startThreadId(), begin, end, event.correlationId()});
  }
  return profile;
}

}  // namespace

void merge_spans(const std::filesystem::path& file, const std::vector<TraceSpan>& spans) {
  std::vector<uint8_t> bytes;
  if (auto read = read_file(file, bytes); !read) throw Error(read.error().reason);
  boost::json::object trace =
      boost::json::parse(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()))
          .as_object();
  const int64_t base =
      trace.contains("baseTimeNanoseconds") ? trace["baseTimeNanoseconds"].to_number<int64_t>() : 0;
  const auto microseconds = [&](int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; };
  boost::json::array& events = trace["traceEvents"].as_array();
  std::set<int> threads;
  for (const TraceSpan& span : spans) {
    threads.insert(span.thread);
    events.push_back({{"ph", "X"},
                      {"cat", "loader"},
                      {"name", span.name},
                      {"pid", ::getpid()},
                      {"tid", span.thread},
                      {"ts", microseconds(span.begin_ns - base)},
                      {"dur", microseconds(span.end_ns - span.begin_ns)}});
  }
  for (int thread : threads)
    events.push_back({{"ph", "M"},
                      {"name", "thread_name"},
                      {"pid", ::getpid()},
                      {"tid", thread},
                      {"args", {{"name", fmt::format("loader thread {}", thread)}}}});
  write_file(file, boost::json::serialize(trace));
}

DataWait::DataWait() : span_(at::RecordScope::FUNCTION) {
  // TensorBoard's plugin takes spans of this name, among the operators, for time spent waiting for data.
  if (span_.isActive()) span_.before("enumerate(DataLoader)#loader.__next__");
}

Profiler::Profiler(const TrainConfig& config, const torch::Device& device, std::filesystem::path folder,
                   Trace& trace)
    : config_(config), cuda_(device.is_cuda()), folder_(std::move(folder)), trace_(trace) {
  // libkineto reports its own start and stop on stderr as a kind of message above errors. It asks for the
  // level when it is first used.
  if (config.profile) ::setenv("KINETO_LOG_LEVEL", kKinetoSilent, /*overwrite=*/0);
}

Profiler::~Profiler() {
  step_.reset();
  if (!running_) return;
  leave();
  profiler::disableProfiler();
}

std::optional<Profiler::Files> Profiler::after_step() {
  if (!config_.profile || done_) return {};
  step_.reset();
  const int64_t begin = config_.profile_wait + config_.profile_warmup;
  if (steps_ == config_.profile_wait) profiler::prepareProfiler(profiler_config(), activities(cuda_));
  if (steps_ == begin) start();
  if (steps_ == begin + config_.profile_steps) {
    done_ = true;
    return stop();
  }
  ++steps_;
  if (running_) {
    step_.emplace(at::RecordScope::USER_SCOPE);
    // Named as Python's torch.profiler names steps: viewers look for it. The name is copied.
    if (step_->isActive()) step_->before(fmt::format("ProfilerStep#{}", steps_));
  }
  return {};
}

void Profiler::start() {
  // While it records, LibTorch warns of memory given back that was taken before, which is no fault.
  constexpr int kErrorsOnly = 2;
  log_level_ = FLAGS_caffe2_log_level;
  FLAGS_caffe2_log_level = std::max(log_level_, kErrorsOnly);
  profiler::enableProfiler(
      profiler_config(), activities(cuda_),
      {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION, at::RecordScope::USER_SCOPE});
  trace_.start();
  running_ = true;
}

void Profiler::leave() {
  running_ = false;
  FLAGS_caffe2_log_level = log_level_;
}

Profiler::Files Profiler::stop() {
  const std::vector<TraceSpan> spans = trace_.stop();
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  const std::string name = fmt::format("{}_{}.{}", host, ::getpid(), std::time(nullptr) * 1000);
  const Files files{folder_ / (name + ".pt.trace.json"), folder_ / (name + ".operators.txt")};
  const auto result = profiler::disableProfiler();
  leave();
  result->save(files.trace.string());
  merge_spans(files.trace, spans);
  constexpr size_t kMostOperators = 100;
  write_file(files.operators,
             operator_table(operator_totals(profile_of(*result)), kMostOperators, config_.profile_steps));
  return files;
}

}  // namespace nowhere
