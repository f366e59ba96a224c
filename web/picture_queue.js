// Every picture is fetched through here: few at a time, the most urgent first, given up when nobody wants it any more,
// and patient with a server that says "not now".
import { getBlob } from "./api.js";

// Browsers keep six connections to a server; more would only queue where they cannot be cancelled cheaply.
const IN_FLIGHT = 6;
const FIRST_REST = 500; // milliseconds, doubled while it does not help
const LONGEST_REST = 8000;
const LONGEST_ASKED_REST = 60000;

export class PictureQueue {
  // Holds everything back until release(). `onTrouble(error)` when the server puts us off, `onTrouble(null)` when
  // pictures come again.
  constructor(onTrouble = () => {}) {
    this.waiting = new Set();
    this.running = 0;
    this.held = true;
    this.restUntil = 0;
    this.failures = 0;
    this.onTrouble = onTrouble;
  }

  // The picture as a Blob. `urgency()` is asked whenever there is room: the smallest goes first.
  load(url, { signal, urgency = () => 0 }) {
    return new Promise((resolve, reject) => {
      const job = { url, signal, urgency, resolve, reject };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", () => {
        if (this.waiting.delete(job)) reject(signal.reason);
      });
      this.waiting.add(job);
      // Once the caller is done asking: a wall asks for a screenful, and its urgencies are known only then.
      queueMicrotask(() => this.pump());
    });
  }

  release() {
    this.held = false;
    this.pump();
  }

  // Try again now: somebody knows that the server is back.
  resume() {
    this.restUntil = 0;
    this.pump();
  }

  pump() {
    if (this.held) return;
    const rest = this.restUntil - performance.now();
    if (rest > 0) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.pump(), rest + 1);
      return;
    }
    // After a refusal one request feels its way; the others follow once it was answered.
    const room = this.failures > 0 ? 1 : IN_FLIGHT;
    while (this.running < room && this.waiting.size > 0) this.run(this.mostUrgent());
  }

  mostUrgent() {
    let best = null;
    let least = Infinity;
    for (const job of this.waiting) {
      const urgency = job.urgency();
      if (best === null || urgency < least) [best, least] = [job, urgency];
    }
    return best;
  }

  async run(job) {
    this.waiting.delete(job);
    this.running += 1;
    try {
      job.resolve(await getBlob(job.url, job.signal));
      this.succeeded();
    } catch (error) {
      if (error.passing && !job.signal.aborted) {
        this.waiting.add(job);
        this.putOff(error);
      } else {
        job.reject(error);
        // A refusal for good is an answer, too.
        if (error.status) this.succeeded();
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

  putOff(error) {
    const backOff = Math.min(LONGEST_REST, FIRST_REST * 2 ** this.failures);
    const asked = Math.min(LONGEST_ASKED_REST, (error.retryAfterSeconds ?? 0) * 1000);
    // Spread a little, so that many open galleries do not come back in step.
    const rest = Math.max(asked, backOff) * (1 + Math.random() / 4);
    if (performance.now() >= this.restUntil) this.failures += 1;
    this.restUntil = Math.max(this.restUntil, performance.now() + rest);
    this.onTrouble(error);
  }
}
