// The server's addresses and its responses. Nothing else in the gallery knows a URL of the server.
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
/** @typedef {{ training: boolean, points: Point[] }} Run */

/** A response other than the one asked for, with a message that can be shown. Status 0: no response. */
export class ServerError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {number | null} retryAfterSeconds
   */
  constructor(status, message, retryAfterSeconds = null) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Worth another try later: the model is being loaded, the queue is full, or the server does not answer. */
  get temporary() {
    return this.status === 0 || this.status === 429 || this.status === 503;
  }
}

const UNREACHABLE = "The server does not answer.";
const BUSY = "The server is too busy at the moment.";
/** @type {Record<number, string>} */
const PLAIN_WORDS = {
  400: "The server did not understand the request.",
  404: "There is no such picture.",
  429: BUSY,
  503: BUSY,
};

/** @param {Response} response */
async function errorFrom(response) {
  let message = PLAIN_WORDS[response.status] ?? `The server failed (${response.status}).`;
  try {
    /** @type {string} */
    const given = (await response.json()).error.message;
    if (given) message = `${given[0].toUpperCase()}${given.slice(1)}${/[.!?]$/.test(given) ? "" : "."}`;
  } catch {
    // Not one of our server's errors (a proxy's page, perhaps): the plain words stay.
  }
  const seconds = Number(response.headers.get("Retry-After"));
  return new ServerError(response.status, message, seconds > 0 ? seconds : null);
}

/** @param {unknown} error */
const isAbort = (error) => error instanceof Error && error.name === "AbortError";

/**
 * The response to a GET. Throws a ServerError, or an AbortError once `signal` is aborted.
 * @param {string} url
 * @param {AbortSignal} [signal]
 */
async function get(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    throw isAbort(error) ? error : new ServerError(0, UNREACHABLE);
  }
  if (!response.ok) throw await errorFrom(response);
  return response;
}

/**
 * A body that breaks off also means that the server does not answer.
 * @template T
 * @param {Promise<T>} reading
 */
async function body(reading) {
  try {
    return await reading;
  } catch (error) {
    throw isAbort(error) ? error : new ServerError(0, UNREACHABLE);
  }
}

/** @type {(url: string, signal: AbortSignal) => Promise<Blob>} */
export const getBlob = async (url, signal) => body((await get(url, signal)).blob());
/** @type {(url: string) => Promise<any>} */
const getJson = async (url) => body((await get(url)).json());

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

/**
 * A loop from seed to seed and back: 32 frames a leg, so that a pair takes about 4 seconds.
 * @param {number[]} seeds
 * @param {string} format
 * @param {Version} version
 */
export function morphUrl(seeds, format, version = {}) {
  const frames = Math.min(32, Math.floor(256 / seeds.length));
  return address(`/v1/morph.${format}`, { seeds: seeds.join(","), frames, ms: 60, ...version });
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
