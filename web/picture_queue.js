// Every picture is requested through here: a few at a time, the most urgent first, cancelled when it is no
// longer wanted, and patient with a server that answers "not now".
import { getBlob, ServerError } from "./request.js";

/**
 * @typedef {object} Job
 * @property {string} url
 * @property {AbortSignal} signal
 * @property {() => number} urgency
 * @property {(blob: Blob) => void} resolve
 * @property {(reason: unknown) => void} reject
 */

// Browsers keep six connections to a server; more requests would only queue where they cannot be cancelled
// cheaply.
const MAX_REQUESTS = 6;
// Milliseconds.
const FIRST_PAUSE = 500; // doubled after every failure
const MAX_PAUSE = 8000;
const MAX_RETRY_AFTER = 60000; // that a server may ask for

export class PictureQueue {
  /**
   * Holds all requests back until release().
   * @param {(error: ServerError | null) => void} onTrouble called when the server is busy or away, and with
   *   null when pictures arrive again
   */
  constructor(onTrouble) {
    /** @type {Set<Job>} */
    this.waiting = new Set();
    this.running = 0;
    this.held = true;
    this.pausedUntil = 0;
    this.failures = 0;
    this.onTrouble = onTrouble;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * The picture. `urgency()` is called whenever there is room for a request: the smallest goes first.
   * @param {string} url
   * @param {{ signal: AbortSignal, urgency: () => number }} options
   * @returns {Promise<Blob>}
   */
  load(url, { signal, urgency }) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const job = { url, signal, urgency, resolve, reject };
      signal.addEventListener("abort", () => {
        if (this.waiting.delete(job)) reject(signal.reason);
      });
      this.waiting.add(job);
      // After the caller's other requests: a wall asks for a screenful, and only then are all urgencies
      // known.
      queueMicrotask(() => this.pump());
    });
  }

  release() {
    this.held = false;
    this.pump();
  }

  // Tries again now: the server is known to be back.
  resume() {
    this.pausedUntil = 0;
    this.pump();
  }

  pump() {
    if (this.held) return;
    const pause = this.pausedUntil - performance.now();
    if (pause > 0) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.pump(), pause + 1);
      return;
    }
    // After a failure a single request goes first; the others follow once it is answered.
    const room = this.failures > 0 ? 1 : MAX_REQUESTS;
    while (this.running < room) {
      const job = this.mostUrgent();
      if (job === null) return;
      this.run(job);
    }
  }

  mostUrgent() {
    /** @type {Job | null} */
    let best = null;
    let smallest = Infinity;
    for (const job of this.waiting) {
      const urgency = job.urgency();
      if (best === null || urgency < smallest) [best, smallest] = [job, urgency];
    }
    return best;
  }

  /** @param {Job} job */
  async run(job) {
    this.waiting.delete(job);
    this.running += 1;
    try {
      job.resolve(await getBlob(job.url, job.signal));
      this.succeeded();
    } catch (error) {
      if (error instanceof ServerError && error.temporary && !job.signal.aborted) {
        this.waiting.add(job);
        this.pause(error);
      } else {
        job.reject(error);
        // A permanent error is a response, too.
        if (error instanceof ServerError && error.status !== 0) this.succeeded();
      }
    }
    this.running -= 1;
    this.pump();
  }

  succeeded() {
    if (this.failures === 0) return;
    this.failures = 0;
    this.onTrouble(null);
  }

  /** @param {ServerError} error */
  pause(error) {
    const backOff = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** this.failures);
    const requested = Math.min(MAX_RETRY_AFTER, (error.retryAfterSeconds ?? 0) * 1000);
    // Spread a little, so that many open galleries do not all return at once.
    const pause = Math.max(requested, backOff) * (1 + Math.random() / 4);
    if (performance.now() >= this.pausedUntil) this.failures += 1;
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + pause);
    this.onTrouble(error);
  }
}
