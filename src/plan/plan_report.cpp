#include "plan/plan_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace nowhere {
namespace {

// Estimates bear a mark and no more digits than they are worth.
std::string figure(double number, bool estimated) {
  if (!estimated) return with_commas(std::llround(number));
  double unit = 1;
  while (number / unit >= 1000) unit *= 10;
  return "~" + with_commas(std::llround(std::round(number / unit) * unit));
}

std::string money(double dollars, bool estimated) {
  if (dollars <= 0) return "-";
  return (estimated ? "~" : "") +
         (dollars < 100 ? fmt::format("{:.2f}", dollars) : with_commas(std::llround(dollars)));
}

bool is_estimate(const ImageRate& rate) {
  return rate.origin == Origin::kEstimated;
}

std::string memory_text(const PlanRow& row) {
  constexpr double kGib = 1 << 30;
  return fmt::format("{:.1f} of {:.0f}{}", static_cast<double>(row.device_bytes) / kGib, row.device_gib(),
                     row.fits() ? "" : ": too little");
}

std::string sources(const InstanceTable& table) {
  return fmt::format("prices and published figures of {}: {}\n", table.date, table.source);
}

std::string spot_note(const InstanceTable& table) {
  return fmt::format(
      "~ is an estimate; a spot price that is not known counts as {:.0f}% of the price on demand\n",
      100 * table.spot_share);
}

boost::json::object rate_json(const PlanRow& row) {
  return {{"instance", row.instance.type},
          {"images_per_hour", row.rate.images_per_hour},
          {"origin", name_of(row.rate.origin)},
          {"how", row.rate.how}};
}

boost::json::value price_json(double dollars) {
  return dollars > 0 ? boost::json::value(dollars) : boost::json::value(nullptr);
}

boost::json::object row_json(const PlanRow& row) {
  boost::json::object json = rate_json(row);
  json["devices"] = row.instance.devices;
  json["accelerator"] = row.instance.accelerator;
  json["device_images_per_hour"] = row.device_images_per_hour;
  json["efficiency"] = row.efficiency;
  json["loader_images_per_hour"] = row.loader_images_per_hour;
  json["disk_images_per_hour"] = row.disk_images_per_hour;
  json["limit"] = name_of(row.limit);
  json["hours"] = row.hours;
  json["dollars_per_hour"] = price_json(row.instance.dollars);
  json["dollars"] = price_json(row.dollars);
  json["spot_dollars_per_hour"] = price_json(row.spot_price);
  json["spot_dollars"] = price_json(row.spot_dollars);
  json["spot_origin"] = row.spot_published ? "published" : "estimated";
  json["device_bytes"] = row.device_bytes;
  json["device_gib"] = row.device_gib();
  json["fits"] = row.fits();
  return json;
}

}  // namespace

std::string plan_text(const InstanceTable& table, const PlanRequest& request, std::vector<PlanRow> rows) {
  const Workload& work = request.model.work;
  const std::string text = fmt::format(
      "{}: G {} and D {} parameters, {} px, {:.1f} billion multiply-adds an image\n"
      "{} of {}, batches of {} on each device; {} data on {}\n",
      request.model.name, with_commas(work.generator.parameters()),
      with_commas(work.discriminator.parameters()), work.size,
      static_cast<double>(work.multiplications()) / 1e9, counted(request.epochs, "epoch"),
      counted(request.images, "image"), work.batch, request.loader.name, request.disk.name);
  std::ranges::stable_sort(rows, {}, &PlanRow::dollars);
  Table lines({"instance", "devices", "images/hour", "", "hours", "$", "spot $", "GiB a device", "limit"});
  for (const PlanRow& row : rows) {
    const bool estimate = is_estimate(row.rate);
    lines.add({row.instance.type, fmt::format("{} {}", row.instance.devices, row.instance.accelerator),
               figure(row.rate.images_per_hour, estimate), std::string(name_of(row.rate.origin)),
               (estimate ? "~" : "") + fmt::format("{:.{}f}", row.hours, row.hours < 1 ? 2 : 1),
               money(row.dollars, estimate), money(row.spot_dollars, estimate || !row.spot_published),
               memory_text(row), std::string(name_of(row.limit))});
  }
  return text + sources(table) + "\n" + lines.text() + "\n" + spot_note(table);
}

boost::json::object plan_json(const InstanceTable& table, const PlanRequest& request,
                              const std::vector<PlanRow>& rows) {
  const Workload& work = request.model.work;
  boost::json::array list;
  for (const PlanRow& row : rows) list.push_back(row_json(row));
  return {{"date", table.date},
          {"source", table.source},
          {"model", request.model.name},
          {"images", request.images},
          {"epochs", request.epochs},
          {"data", request.loader.name},
          {"disk", request.disk.name},
          {"work",
           {{"generator_parameters", work.generator.parameters()},
            {"discriminator_parameters", work.discriminator.parameters()},
            {"multiplications", work.multiplications()},
            {"gradient_bytes", work.gradient_bytes()},
            {"memory_bytes", work.memory_bytes()},
            {"checkpoint_bytes", work.checkpoint_bytes()},
            {"batch", work.batch},
            {"size", work.size}}},
          {"rows", list}};
}

std::string comparison_text(const InstanceTable& table, const std::vector<ComparedRow>& rows) {
  Table lines({"model", "instance", "images/hour", "$/hour", "images/$", "spot $/hour", "images/spot $"});
  for (const auto& [model, row] : rows) {
    const bool estimate = is_estimate(row.rate), spot = !row.spot_published;
    lines.add({model, row.instance.type, figure(row.rate.images_per_hour, estimate),
               money(row.instance.dollars, false), figure(row.images_per_dollar(), estimate),
               money(row.spot_price, spot), figure(row.images_per_spot_dollar(), estimate || spot)});
  }
  return sources(table) + "\n" + lines.text() + "\n" + spot_note(table);
}

boost::json::object comparison_json(const InstanceTable& table, const std::vector<ComparedRow>& rows) {
  boost::json::array list;
  for (const auto& [model, row] : rows) {
    boost::json::object json = rate_json(row);
    json["model"] = model;
    json["dollars_per_hour"] = row.instance.dollars;
    json["images_per_dollar"] = row.images_per_dollar();
    json["spot_dollars_per_hour"] = row.spot_price;
    json["spot_origin"] = row.spot_published ? "published" : "estimated";
    json["images_per_spot_dollar"] = row.images_per_spot_dollar();
    list.push_back(std::move(json));
  }
  return {{"date", table.date}, {"source", table.source}, {"rows", list}};
}

}  // namespace nowhere
