#include "dist/group.h"

#include <c10/util/Logging.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <future>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <torch/csrc/distributed/c10d/comm.hpp>

#include "core/error.h"
#include "core/text.h"
#include "dist/backends.h"

namespace nowhere {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRollCall{3000};  // after a failure, for those that are left to answer
constexpr milliseconds kPoll{50};
constexpr size_t kBroadcastBytes = size_t{64} << 20;

std::vector<uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

std::string text_of(const std::vector<uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

// What happened, without where in the code of LibTorch: "[file.cc:81] Connection closed by peer. This is
// ...".
std::string first_sentence(const std::exception& error) {
  std::string text = error.what();
  text.erase(std::min({text.find('\n'), text.find(". "), text.size()}));
  if (text.ends_with('.')) text.pop_back();
  const size_t end = text.starts_with("[") ? text.find("] ") : std::string::npos;
  return end == std::string::npos ? text : text.substr(end + 2);
}

std::string seconds_text(milliseconds time) {
  return human_time(static_cast<double>(time.count()) / 1000);
}

std::string own_name() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return fmt::format("host {}, process {}", host.data(), ::getpid());
}

// What c10d logs on failures, with stack traces, our errors say in a sentence. TORCH_CPP_LOG_LEVEL brings it
// back.
void quiet_libtorch() {
  constexpr int kFatalOnly = 3;
  if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr) FLAGS_caffe2_log_level = kFatalOnly;
}

// Whether the work ended well within the time. A store whose machine is cut off answers nothing, and its
// calls do not return: they are left to the end of the process, and what `work` uses must not end before.
bool within(milliseconds time, std::function<void()> work) {
  auto done = std::make_shared<std::promise<bool>>();
  std::future<bool> result = done->get_future();
  std::thread([done, work = std::move(work)] {
    try {
      work();
      done->set_value(true);
    } catch (...) {
      done->set_value(false);
    }
  }).detach();
  return result.wait_for(time) == std::future_status::ready && result.get();
}

// The ranks that have not written the key after waiting so long.
std::vector<int> ranks_without(c10d::Store& store, int size, const std::string& key, milliseconds wait) {
  for (milliseconds waited{0};; waited += kPoll) {
    std::vector<int> missing;
    for (int rank = 0; rank < size; ++rank)
      if (!store.check({fmt::format("{}/{}", key, rank)})) missing.push_back(rank);
    if (missing.empty() || waited >= wait) return missing;
    std::this_thread::sleep_for(kPoll);
  }
}

// Who is left after a failure.
struct RollCall {
  std::vector<int> missing;
  int stopped = 0;     // the rank that left a word
  std::string reason;  // which
};

c10::intrusive_ptr<c10d::Store> open_store(const World& world, milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = world.port;
  options.isServer = world.is_main() && !world.store_runs;
  options.waitWorkers = false;  // who is missing is found out by name
  options.timeout = timeout;
  if (world.listening) options.masterListenFd = *world.listening;
  try {
    return c10::make_intrusive<c10d::PrefixStore>(
        fmt::format("nowhere/{}", world.restarts),
        c10::make_intrusive<c10d::TCPStore>(world.address, options));
  } catch (const std::exception& error) {
    throw Error(
        options.isServer
            ? fmt::format("rank 0 cannot open the store on port {}: {}; give another MASTER_PORT", world.port,
                          first_sentence(error))
            : fmt::format("rank {} cannot reach the store of rank 0 at {}:{} within {} (--dist-timeout): {}; "
                          "see that rank 0 runs there and that the port is open",
                          world.rank, world.address, world.port, seconds_text(timeout),
                          first_sentence(error)));
  }
}

c10d::ReduceOp operation(Reduction reduction) {
  switch (reduction) {
    case Reduction::kMin:
      return c10d::ReduceOp::MIN;
    case Reduction::kMax:
      return c10d::ReduceOp::MAX;
    case Reduction::kSum:
      break;
  }
  return c10d::ReduceOp::SUM;
}

void all_reduce(c10d::ProcessGroup& group, const torch::Tensor& tensor, Reduction reduction) {
  std::vector<torch::Tensor> tensors{tensor};
  c10d::AllreduceOptions options;
  options.reduceOp = operation(reduction);
  group.allreduce(tensors, options)->wait();
}

// The sum over all ranks depends on what each of them put in, so gradients are summed in the same way.
class SumOverRanks : public torch::autograd::Function<SumOverRanks> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& values,
                               int64_t group) {
    context->saved_data["group"] = group;
    torch::Tensor sum = values.detach().clone(at::MemoryFormat::Contiguous);
    all_reduce(*reinterpret_cast<c10d::ProcessGroup*>(group), sum, Reduction::kSum);
    return sum;
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list gradients) {
    return {apply(gradients[0], context->saved_data["group"].toInt()), torch::Tensor()};
  }
};

}  // namespace

struct Group::Parts {
  c10::intrusive_ptr<c10d::Store> store;
  // One for each purpose, because the autograd engine decides on the order of the first and the third.
  c10::intrusive_ptr<c10d::ProcessGroup> gradients, control, statistics;
};

Group::Group(const World& world, const torch::Device& device, GroupOptions options)
    : world_(world), device_(device), options_(options), parts_(std::make_unique<Parts>()) {
  quiet_libtorch();
  parts_->store = open_store(world_, options_.timeout);
  meet();
  const std::string address = own_address(world_.address, world_.port, world_.size > world_.local_size);
  const auto make = [&](const char* purpose, const torch::Device& where) {
    const BackendPlace place{c10::make_intrusive<c10d::PrefixStore>(purpose, parts_->store), world_.rank,
                             world_.size, options_.timeout, address};
    return make_process_group(where, place);
  };
  guard("connecting to the other ranks", [&] {
    parts_->control = make("control", torch::kCPU);
    parts_->gradients = make("gradients", device_);
    if (options_.statistics) parts_->statistics = make("statistics", device_);
  });
}

Group::~Group() = default;

// Everybody writes down who they are, and reads who the others are.
void Group::meet() {
  members_ = std::vector<std::string>(static_cast<size_t>(world_.size), "");
  parts_->store->set(fmt::format("member/{}", world_.rank), bytes_of(own_name()));
  std::vector<std::string> keys;
  for (int rank = 0; rank < world_.size; ++rank) keys.push_back(fmt::format("member/{}", rank));
  try {
    parts_->store->wait(keys, options_.timeout);
  } catch (const std::exception& error) {
    throw Error(
        fmt::format("{} of {} did not come within {} (--dist-timeout); see their output, and that "
                    "they can reach {}:{}",
                    names_of(ranks_without(*parts_->store, world_.size, "member", milliseconds(0))),
                    world_.size, seconds_text(options_.timeout), world_.address, world_.port));
  }
  for (size_t rank = 0; rank < members_.size(); ++rank)
    members_[rank] = text_of(parts_->store->get(keys[rank]));
}

std::string Group::name_of(int rank) const {
  const std::string& member = members_[static_cast<size_t>(rank)];
  return member.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} ({})", rank, member);
}

std::string Group::names_of(const std::vector<int>& ranks) const {
  std::vector<std::string> names;
  for (const int rank : ranks) names.push_back(name_of(rank));
  return names.empty() ? "some ranks" : join(names, ", ");
}

std::vector<std::string> Group::gather(const std::string& name, const std::string& text) {
  std::vector<std::string> texts;
  guard("comparing " + name, [&] {
    parts_->store->set(fmt::format("gather/{}/{}", name, world_.rank), bytes_of(text));
    for (int rank = 0; rank < world_.size; ++rank)
      texts.push_back(text_of(parts_->store->get(fmt::format("gather/{}/{}", name, rank))));
  });
  return texts;
}

void Group::broadcast(const std::vector<torch::Tensor>& tensors, const std::string& what) {
  const torch::NoGradGuard no_gradients;
  guard("sending " + what, [&] {
    const bool on_device = !tensors.empty() && !tensors.front().is_cpu();
    c10d::broadcast_coalesced(on_device ? parts_->gradients : parts_->control, tensors, kBroadcastBytes);
  });
}

std::string Group::broadcast(const std::string& text, const std::string& what) {
  torch::Tensor length = torch::tensor(static_cast<int64_t>(text.size()));
  broadcast({length}, what);
  torch::Tensor bytes = torch::empty({length.item<int64_t>()}, torch::kByte);
  if (bytes.numel() == 0) return "";
  if (is_main()) std::memcpy(bytes.mutable_data_ptr(), text.data(), text.size());
  broadcast({bytes}, what);
  return {reinterpret_cast<const char*>(bytes.const_data_ptr()), static_cast<size_t>(bytes.numel())};
}

void Group::reduce(torch::Tensor& numbers, Reduction reduction, const std::string& what) {
  guard(what, [&] { all_reduce(*parts_->control, numbers, reduction); });
}

torch::Tensor Group::sum_statistics(const torch::Tensor& values) {
  return SumOverRanks::apply(values, reinterpret_cast<int64_t>(parts_->statistics.get()));
}

void Group::guard(const std::string& what, const std::function<void()>& work) {
  std::string reason;
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    reason = first_sentence(error);
  }
  throw Error(fmt::format("{}; it was noticed while {} ({}); --resume goes on from the newest checkpoint",
                          find_cause(), what, reason));
}

// Those that are left meet once more at the store. Who does not come is the cause, or who left a word.
std::string Group::find_cause() const {
  const auto found = std::make_shared<RollCall>();
  const milliseconds time = std::min(kRollCall, options_.timeout);
  const bool answered =
      within(2 * time, [found, store = parts_->store, own = world_.rank, size = world_.size, time] {
        store->set(fmt::format("left/{}", own), bytes_of(""));
        found->missing = ranks_without(*store, size, "left", time);
        for (int rank = 0; rank < size && found->reason.empty(); ++rank) {
          const std::string key = fmt::format("reason/{}", rank);
          if (rank == own || !store->check({key})) continue;
          found->reason = text_of(store->get(key));
          found->stopped = rank;
        }
      });
  if (!answered)
    return (world_.store_runs ? "the store of torchrun" : name_of(0) + ", which holds the store,") +
           " does not answer";
  if (!found->reason.empty()) return fmt::format("{} stopped: {}", name_of(found->stopped), found->reason);
  return found->missing.empty() ? "the ranks lost each other" : names_of(found->missing) + " does not answer";
}

void Group::leave(const std::string& reason) noexcept {
  // Where the store does not answer, the others notice by themselves that this rank is gone.
  within(std::min(kRollCall, options_.timeout), [store = parts_->store, rank = world_.rank, reason] {
    store->set(fmt::format("reason/{}", rank), bytes_of(reason));
    store->set(fmt::format("left/{}", rank), bytes_of(""));
  });
}

const c10::intrusive_ptr<c10d::ProcessGroup>& Group::gradients() const {
  return parts_->gradients;
}

}  // namespace nowhere
