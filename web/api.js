// The server's addresses and its responses. No other module but limits.js knows a URL of the server.
import { limits } from "./limits.js";
import { get, getJson } from "./request.js";
import { subjectPath } from "./subject.js";
/** @import { Version } from "./address.js" */
/** @import { Subject } from "./subject.js" */

/**
 * @typedef {object} Model
 * @property {string} name
 * @property {number} size pixels a side of a picture
 * @property {number} parameters
 * @property {number} epoch
 * @property {string} digest
 * @property {number} images_seen
 * @property {string} trained_on
 * @property {boolean} following
 * @property {boolean} ready
 */
/** @typedef {{ epochs: number[], current: number | null }} Checkpoints */
/** @typedef {"D_loss" | "G_loss" | "D_X" | "D_G_z1" | "images_per_second"} Curve */
/** @typedef {{ images: number } & Record<Curve, number | null>} Point */
/**
 * Shares from 0 to 1. What is unknown is left out.
 * @typedef {"images_per_second" | "device_share" | "waiting_share" | "cpu_share" | "machine_cpu_share"
 *   | "disk_read_bytes_per_second" | "disk_busy_share" | "accelerator_share" | "idlest_accelerator_share"} Figure
 */
/** @typedef {{ time: number } & Partial<Record<Figure, number>>} MachinePoint time: seconds since 1970 */
/** @typedef {{ points: MachinePoint[], accelerators?: string[], bottleneck?: string }} Machine */
/** @typedef {{ training: boolean, points: Point[], machine?: Machine }} Run */

/** @type {() => Promise<Model>} */
export const getModel = () => getJson("/v1/model");
/** @type {() => Promise<Checkpoints>} */
export const getCheckpoints = () => getJson("/v1/checkpoints");
/** @type {() => Promise<Run>} */
export const getRun = () => getJson("/v1/run");

export async function isReady() {
  try {
    await get("/readyz");
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} path
 * @param {Record<string, string | number | undefined>} values
 */
function address(path, values) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString().replaceAll("%2C", ",");
  return text ? `${path}?${text}` : path;
}

/**
 * @param {Subject} subject
 * @param {string} format
 * @param {Version} version
 */
export function pictureUrl(subject, format, version = {}) {
  const path = subjectPath(subject).replace(/^street/, "images");
  return address(`/v1/${path}.${format}`, { ...version });
}

const LEG_FRAMES = 32;
const FRAME_MS = 60; // with these, a loop between two streets takes about 4 seconds

/**
 * A loop from seed to seed and back to the first.
 * @param {number[]} seeds
 * @param {string} format
 * @param {Version} version
 */
export function morphUrl(seeds, format, version = {}) {
  const frames = Math.min(LEG_FRAMES, Math.floor(limits.max_morph_frames / seeds.length));
  return address(`/v1/morph.${format}`, { seeds: seeds.join(","), frames, ms: FRAME_MS, ...version });
}

/**
 * @param {number[]} seeds
 * @param {string} format
 * @param {number} columns
 * @param {Version} version
 */
export function gridUrl(seeds, format, columns, version = {}) {
  return address(`/v1/grid.${format}`, { seeds: seeds.join(","), cols: columns, ...version });
}
