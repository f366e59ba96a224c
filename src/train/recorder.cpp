#include "train/recorder.h"

#include <fmt/core.h>

#include "core/console.h"
#include "core/text.h"

namespace nowhere {
namespace {

double waiting_share(const LogPoint& point) {
  return point.time.total() > 0 ? point.time.waiting / point.time.total() : 0;
}

}  // namespace

Recorder::Recorder(const RunDirectory& run, const TrainConfig& config, int64_t resumed_images,
                   Background& background, Metrics& metrics)
    : background_(background),
      log_(AppendFile::open(run.log(), AppendFile::Open::kNewOrExisting).value()),
      stats_(run.stats(), resumed_images),
      metrics_(metrics) {
  if (!config.logging) return;
  events_.emplace(run.events());
  if (resumed_images > 0) events_->restart(resumed_images + 1);
}

Recorder::~Recorder() {
  background_.finish();
}

void Recorder::note(const std::string& line) {
  background_.post([this, line] { log_.append(line + "\n"); });
}

// On the background thread.
void Recorder::tell_losses() {
  if (told_losses_) return;
  for (const std::string& failure :
       {log_.failure(), stats_.failure(), events_ ? events_->failure() : std::string()}) {
    if (failure.empty()) continue;
    print_message(fmt::format("nowhere: {}; training goes on, some of its record is lost\n", failure));
    told_losses_ = true;
    return;
  }
}

void Recorder::say(const std::string& line) {
  status_.clear();
  // Unchecked: a full disk behind stdout must not end the training.
  const std::string text = line + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  note(line);
}

void Recorder::warn(const std::string& line) {
  status_.clear();
  print_message(fmt::format("nowhere: {}\n", line));
  note("warning: " + line);
}

void Recorder::status(const Position& now, const LogPoint& latest, double seconds_left) {
  if (!status_.due()) return;
  std::string text =
      fmt::format("epoch {}/{}  step {}/{}", now.epoch, now.last_epoch(), now.batch, now.batches);
  if (latest.images_per_second > 0)
    text += fmt::format("  {:.0f} images/s  data wait {:.0f}%  D {:.3f}  G {:.3f}  {} left",
                        latest.images_per_second, 100 * waiting_share(latest), latest.d_loss, latest.g_loss,
                        human_time(seconds_left));
  status_.draw(text);
}

void Recorder::point(const LogPoint& point) {
  say(point.console_line());
  metrics_of(point);
  background_.post([this, point] {
    stats_.append(point.to_json());
    events_of(point);
    tell_losses();
  });
}

void Recorder::epoch(uint64_t epoch, int64_t seen, int64_t images, size_t unreadable, const TimeSplit& time) {
  const double rate = time.total() > 0 ? static_cast<double>(images) / time.total() : 0;
  const std::string missing =
      unreadable > 0 ? fmt::format("; {} unreadable", counted(static_cast<int64_t>(unreadable), "photograph"))
                     : "";
  say(fmt::format("epoch {}: {} in {}, {:.0f} images/s; {}{}", epoch, counted(images, "image"),
                  human_time(time.total()), rate, time.text(), missing));
  background_.post([this, epoch, seen, images, unreadable, time] {
    const boost::json::object line{{"images", seen},
                                   {"epoch_done", epoch},
                                   {"epoch_images", images},
                                   {"epoch_unreadable", unreadable},
                                   {"epoch_seconds", time.to_json()}};
    stats_.append(line);
  });
}

void Recorder::pictures(const std::string& tag, int64_t images, const Image& image) {
  if (events_)
    background_.post([this, tag, images, image] {
      events_->image(tag, images, image);
      events_->flush();
    });
}

void Recorder::histogram(const std::string& tag, int64_t images, std::vector<float> values) {
  if (events_)
    background_.post(
        [this, tag, images, values = std::move(values)] { events_->histogram(tag, images, values); });
}

void Recorder::saved(uint64_t epoch, double seconds) {
  metrics_.set("nowhere_checkpoint_epoch", "Whole epochs in the newest checkpoint",
               static_cast<double>(epoch));
  metrics_.set("nowhere_checkpoint_timestamp_seconds", "When the newest checkpoint was written, since 1970",
               static_cast<double>(std::time(nullptr)));
  metrics_.set("nowhere_checkpoint_write_seconds", "How long writing it took", seconds);
}

void Recorder::events_of(const LogPoint& point) {
  if (!events_) return;
  const auto scalar = [&](const char* tag, double value) { events_->scalar(tag, point.images, value); };
  scalar("G_loss", point.g_loss);
  scalar("D_loss", point.d_loss);
  scalar("D_X", point.d_x);
  scalar("D_G_z1", point.d_g_z1);
  scalar("D_G_z2", point.d_g_z2);
  scalar("gradients/G", point.g_gradient);
  scalar("gradients/D", point.d_gradient);
  scalar("training/learning_rate", point.lr);
  scalar("training/diversity", point.diversity);
  scalar("speed/images_per_second", point.images_per_second);
  scalar("speed/data_wait_share", waiting_share(point));
  scalar("machine/cpu_share", point.machine.cpu_share);
  scalar("machine/memory_bytes", static_cast<double>(point.machine.memory_bytes));
  if (point.machine.disk_read_bytes_per_second)
    scalar("machine/disk_read_bytes_per_second", *point.machine.disk_read_bytes_per_second);
  if (point.machine.disk_busy_share) scalar("machine/disk_busy_share", *point.machine.disk_busy_share);
  for (size_t i = 0; i < point.machine.accelerators.size(); ++i) {
    const Accelerator& one = point.machine.accelerators[i];
    scalar(fmt::format("machine/accelerator_{}_use_share", i).c_str(), one.use_share);
    scalar(fmt::format("machine/accelerator_{}_memory_bytes", i).c_str(),
           static_cast<double>(one.memory_bytes));
  }
  events_->flush();
}

void Recorder::metrics_of(const LogPoint& point) {
  const auto set = [&](const char* name, const char* help, double value, const Metrics::Labels& labels = {}) {
    metrics_.set(name, help, value, labels);
  };
  set("nowhere_train_epoch", "The epoch under way", static_cast<double>(point.epoch));
  set("nowhere_train_images", "Images seen", static_cast<double>(point.images));
  set("nowhere_train_images_per_second", "Speed since the last log point", point.images_per_second);
  set("nowhere_train_data_wait_ratio", "Share of the time spent waiting for data", waiting_share(point));
  set("nowhere_train_loss", "Loss", point.g_loss, {{"network", "G"}});
  set("nowhere_train_loss", "Loss", point.d_loss, {{"network", "D"}});
  set("nowhere_train_confidence", "Mean of sigmoid(D)", point.d_x, {{"on", "real"}});
  set("nowhere_train_confidence", "Mean of sigmoid(D)", point.d_g_z1, {{"on", "fake_before"}});
  set("nowhere_train_confidence", "Mean of sigmoid(D)", point.d_g_z2, {{"on", "fake_after"}});
  set("nowhere_train_gradient_norm", "Norm of the gradient", point.g_gradient, {{"network", "G"}});
  set("nowhere_train_gradient_norm", "Norm of the gradient", point.d_gradient, {{"network", "D"}});
  set("nowhere_train_learning_rate", "Learning rate", point.lr);
  set("nowhere_train_diversity_ratio", "Spread of fakes over that of photographs", point.diversity);
  set("nowhere_train_replaced_photographs", "Photographs that could not be read",
      static_cast<double>(point.replaced));
  set("nowhere_cpu_ratio", "Share of the granted cores in use", point.machine.cpu_share);
  set("nowhere_memory_bytes", "Resident memory", static_cast<double>(point.machine.memory_bytes));
  if (point.machine.disk_read_bytes_per_second)
    set("nowhere_disk_read_bytes_per_second", "Read from the disk that holds the data",
        *point.machine.disk_read_bytes_per_second);
  if (point.machine.disk_busy_share)
    set("nowhere_disk_busy_ratio", "Share of the time the disk that holds the data was busy",
        *point.machine.disk_busy_share);
  for (size_t i = 0; i < point.machine.accelerators.size(); ++i) {
    const Accelerator& one = point.machine.accelerators[i];
    const Metrics::Labels labels{{"index", std::to_string(i)}, {"name", one.name}};
    set("nowhere_accelerator_use_ratio", "Share of the time it was busy", one.use_share, labels);
    set("nowhere_accelerator_memory_bytes", "Memory in use", static_cast<double>(one.memory_bytes), labels);
  }
}

}  // namespace nowhere
