// The server's addresses and its answers. Nothing else in the gallery knows a URL of the server.
import { subjectPath } from "./subject.js";

// An answer that is not what was asked for, in words that can be shown.
export class ServerError extends Error {
  constructor(status, message, retryAfterSeconds = null) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  // Not now, but later: the model is being loaded, the queue is full, or nobody answers.
  get passing() {
    return this.status === 0 || this.status === 429 || this.status === 503;
  }
}

const PLAIN_WORDS = {
  0: "The server does not answer.",
  400: "The server did not understand the request.",
  404: "There is no such picture.",
  429: "The server has too much to do just now.",
  503: "The server has too much to do just now.",
};

async function errorFrom(response) {
  let message = PLAIN_WORDS[response.status] ?? `The server failed (${response.status}).`;
  try {
    const said = (await response.json()).error.message;
    if (said) message = `${said[0].toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? "" : "."}`;
  } catch {
    // Not one of our server's errors (a proxy's page, say): the plain words stand.
  }
  const seconds = Number(response.headers.get("Retry-After"));
  return new ServerError(response.status, message, seconds > 0 ? seconds : null);
}

// The response to a GET. Throws a ServerError, or an AbortError once `signal` says so.
async function get(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError(0, PLAIN_WORDS[0]);
  }
  if (!response.ok) throw await errorFrom(response);
  return response;
}

// A body that breaks off midway is a server that does not answer, too.
async function body(reading) {
  try {
    return await reading;
  } catch (error) {
    throw error.name === "AbortError" ? error : new ServerError(0, PLAIN_WORDS[0]);
  }
}

export const getBlob = async (url, signal) => body((await get(url, signal)).blob());
export const getJson = async (url, signal) => body((await get(url, signal)).json());

export const getModel = () => getJson("/v1/model");
export const getCheckpoints = () => getJson("/v1/checkpoints");
export const getRun = () => getJson("/v1/run");

export async function isReady() {
  try {
    await get("/readyz");
    return true;
  } catch {
    return false;
  }
}

// `version` says whose picture it is: {epoch} (a saved epoch), {model} (a digest), or {} for the model being served.
function query(values) {
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value != null)).toString();
  return text.replaceAll("%2C", ",");
}

function address(path, values) {
  const text = query(values);
  return text ? `${path}?${text}` : path;
}

export function pictureUrl(subject, format, version = {}) {
  const path = subjectPath(subject).replace(/^street/, "images");
  return address(`/v1/${path}.${format}`, { epoch: version.epoch, model: version.model });
}

// A loop from seed to seed and back: 32 frames a leg, so that a pair takes about 4 seconds.
export function morphUrl(seeds, format, version = {}) {
  const frames = Math.min(32, Math.floor(256 / seeds.length));
  return address(`/v1/morph.${format}`, { seeds: seeds.join(","), frames, ms: 60, ...version });
}

export function gridUrl(seeds, format, columns, version = {}) {
  return address(`/v1/grid.${format}`, { seeds: seeds.join(","), cols: columns, ...version });
}
