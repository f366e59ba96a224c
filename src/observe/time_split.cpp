#include "observe/time_split.h"

#include <fmt/core.h>

#include <algorithm>

namespace nowhere {
namespace {

constexpr double kWorthAWord = 0.05;  // shares below are not worth changing anything for

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

}  // namespace

TimeSplit& TimeSplit::operator+=(const TimeSplit& more) {
  waiting += more.waiting;
  device += more.device;
  checkpoint += more.checkpoint;
  other += more.other;
  reading += more.reading;
  decoding += more.decoding;
  resizing += more.resizing;
  return *this;
}

TimeSplit TimeSplit::operator-(const TimeSplit& before) const {
  return {waiting - before.waiting,  device - before.device,   checkpoint - before.checkpoint,
          other - before.other,      reading - before.reading, decoding - before.decoding,
          resizing - before.resizing};
}

boost::json::object TimeSplit::to_json() const {
  return {{"waiting", waiting}, {"device", device},     {"checkpoint", checkpoint}, {"other", other},
          {"reading", reading}, {"decoding", decoding}, {"resizing", resizing}};
}

TimeSplit TimeSplit::from_json(const boost::json::object& json) {
  const auto seconds = [&](const char* key) {
    const boost::json::value* value = json.if_contains(key);
    return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
  };
  return {seconds("waiting"), seconds("device"),   seconds("checkpoint"), seconds("other"),
          seconds("reading"), seconds("decoding"), seconds("resizing")};
}

std::string TimeSplit::text() const {
  const double loader = reading + decoding + resizing;
  return fmt::format(
      "device {:.0f}%, waiting for data {:.1f}%, checkpoint {:.1f}%, other {:.1f}% (loader: reading {:.0f}%, "
      "decoding {:.0f}%, resizing {:.0f}%)",
      100 * share(device, total()), 100 * share(waiting, total()), 100 * share(checkpoint, total()),
      100 * share(other, total()), 100 * share(reading, loader), 100 * share(decoding, loader),
      100 * share(resizing, loader));
}

std::string Bottleneck::sentence() const {
  if (remedy.empty()) return finding;
  // A finding may have a colon already.
  return finding + (finding.find(':') == std::string::npos ? ": " : "; ") + remedy;
}

Bottleneck bottleneck(const TimeSplit& split, bool packed, bool on_cpu) {
  const double waiting = share(split.waiting, split.total()), saving = share(split.checkpoint, split.total());
  if (waiting < kWorthAWord && saving < kWorthAWord) {
    const std::string computing =
        fmt::format("{:.0f}% computing: ", 100 * share(split.device, split.total()));
    if (!on_cpu) return {computing + "the accelerator is the limit, and loading keeps up with it", ""};
    return {computing + "the CPU is the limit", "a GPU, a smaller --img-size or a smaller model goes faster"};
  }
  if (saving > waiting)
    return {fmt::format("{:.0f}% saving checkpoints", 100 * saving),
            "save less often (--save-frequency), or on a faster disk"};
  const std::string head = fmt::format("{:.0f}% waiting for ", 100 * waiting);
  if (split.reading >= std::max(split.decoding, split.resizing))
    return {head + "the disk",
            packed ? "put the packed file on a local disk, or pack smaller (--height, --codec jpeg)"
                   : "pack the data (nowhere pack), and keep the file on a local disk"};
  if (split.decoding >= split.resizing)
    return {head + (packed ? "decoding" : "JPEG decoding"),
            packed ? "pack raw pixels (--codec raw), or add --workers"
                   : "pack the data (nowhere pack), or add --workers"};
  return {head + "resizing", "pack at the height that is trained at (--height), or add --workers"};
}

}  // namespace nowhere
