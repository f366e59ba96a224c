#include "train/profiler.h"

#include <fmt/core.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <ctime>
#include <set>

#include "core/error.h"
#include "core/file.h"

namespace nowhere {
namespace {

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

std::set<ActivityType> activities(bool cuda) {
  return cuda ? std::set{ActivityType::CPU, ActivityType::CUDA} : std::set{ActivityType::CPU};
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

Profiler::Profiler(const TrainConfig& config, const torch::Device& device, std::filesystem::path folder,
                   Trace& trace)
    : config_(config), cuda_(device.is_cuda()), folder_(std::move(folder)), trace_(trace) {}

Profiler::~Profiler() {
  if (running_) profiler::disableProfiler();
}

std::filesystem::path Profiler::after_step() {
  if (!config_.profile || done_) return {};
  const int64_t begin = config_.profile_wait + config_.profile_warmup;
  if (steps_ == config_.profile_wait)
    profiler::prepareProfiler(ProfilerConfig(ProfilerState::KINETO), activities(cuda_));
  if (steps_ == begin) start();
  if (steps_ == begin + config_.profile_steps) {
    done_ = true;
    return stop();
  }
  ++steps_;
  return {};
}

void Profiler::start() {
  profiler::enableProfiler(
      ProfilerConfig(ProfilerState::KINETO, /*report_input_shapes=*/true), activities(cuda_),
      {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION, at::RecordScope::USER_SCOPE});
  trace_.start();
  running_ = true;
}

std::filesystem::path Profiler::stop() {
  running_ = false;
  const std::vector<TraceSpan> spans = trace_.stop();
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  const std::filesystem::path file =
      folder_ / fmt::format("{}_{}.{}.pt.trace.json", host, ::getpid(), std::time(nullptr) * 1000);
  profiler::disableProfiler()->save(file.string());
  merge_spans(file, spans);
  return file;
}

}  // namespace nowhere
