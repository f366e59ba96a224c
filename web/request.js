// Requests to the server, and what can go wrong with them.

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
export async function get(url, signal) {
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
export const getJson = async (url) => body((await get(url)).json());
