// What the machine that trains is doing: the last log points over the time of the day, and what limits the run.
import { CLOCK, clockTime, drawChart } from "./chart.js";
import { element } from "./dom.js";
/** @import { Machine } from "./api.js" */
/** @import { Chart } from "./chart.js" */

const SHARE = { unit: "%", digits: 0, scale: 100, max: 100 };

/** @param {string[]} names of the accelerators */
function acceleratorChart(names) {
  const name = (new Set(names).size === 1 && names[0]) || "Accelerator";
  if (names.length <= 1) return { title: name, curves: [{ key: "accelerator_share", name: "busy" }], ...SHARE };
  return {
    title: `${names.length} × ${name}`,
    curves: [{ key: "accelerator_share", name: "mean" }, { key: "idlest_accelerator_share", name: "the idlest" }],
    ...SHARE,
  };
}

/**
 * @param {Machine} machine
 * @returns {Record<string, Chart>}
 */
function chartsOf({ accelerators = [] }) {
  return {
    "machine-speed": { title: "Throughput", curves: [{ key: "images_per_second", name: "images/s" }], digits: 0 },
    "machine-time": {
      title: "Time spent",
      curves: [{ key: "device_share", name: "computing" }, { key: "waiting_share", name: "waiting for data" }],
      ...SHARE,
    },
    "machine-accelerators": acceleratorChart(accelerators),
    "machine-cpu": {
      title: "CPU",
      curves: [{ key: "cpu_share", name: "training" }, { key: "machine_cpu_share", name: "all programs" }],
      ...SHARE,
    },
    "machine-disk-reads": {
      title: "Disk reads",
      curves: [{ key: "disk_read_bytes_per_second", name: "training" }],
      unit: " MB/s",
      digits: 1,
      scale: 1e-6,
      max: 1,
    },
    "machine-disk-busy": { title: "Disk", curves: [{ key: "disk_busy_share", name: "busy" }], ...SHARE },
  };
}

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });

/**
 * "from 13:45 to 14:05", with the day unless it is today.
 * @param {Machine} machine
 */
function periodOf({ points }) {
  const [first, last] = [points[0].time, points[points.length - 1].time];
  const words = `from ${clockTime(first)} to ${clockTime(last)}`;
  const date = day.format(last * 1000);
  return date === day.format(Date.now()) ? words : `${words} on ${date}`;
}

/** @param {Machine | undefined} machine */
export function drawMachine(machine) {
  element("machine").hidden = machine === undefined;
  if (machine === undefined) return;
  element("machine-period").textContent = periodOf(machine);
  for (const [name, chart] of Object.entries(chartsOf(machine))) {
    drawChart(element(name), machine.points, CLOCK, chart);
  }
  element("bottleneck").hidden = !machine.bottleneck;
  element("bottleneck-text").textContent = machine.bottleneck ?? "";
}
