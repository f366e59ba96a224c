// The way from one street to another, under a slider. While it is dragged, the nearest picture that is loaded
// is shown at once, and only the newest position is requested. Meanwhile a few steps are loaded ahead, the
// coarse ones first.
import { pictureUrl } from "./api.js";
import { childOf, element, elementOf } from "./dom.js";
import { limits } from "./limits.js";
import { Picture } from "./picture.js";
import { between, street } from "./subject.js";
/** @import { Version } from "./address.js" */
/** @import { PictureQueue } from "./picture_queue.js" */
/** @import { Between } from "./subject.js" */

const URGENT = 0;
const AHEAD = 2;
const STEPS = 100; // of the slider

// Both ends, then 1/2, 1/4, 3/4, 1/8, ... of the way: every step halves the longest gap.
function stepsAhead() {
  const steps = [0, STEPS];
  for (let parts = 2; parts <= 16; parts *= 2) {
    for (let part = 1; part < parts; part += 2) steps.push(Math.round((STEPS * part) / parts));
  }
  return steps.map((step) => (step * limits.arc_steps) / STEPS);
}

export class Morph {
  /**
   * @param {PictureQueue} queue
   * @param {object} callbacks
   * @param {(image: HTMLImageElement) => void} callbacks.show puts a picture on the stage
   * @param {(t: number) => void} callbacks.onMoved called when the slider rests
   * @param {(error: Error) => void} callbacks.onError
   */
  constructor(queue, { show, onMoved, onError }) {
    this.queue = queue;
    this.showImage = show;
    this.onError = onError;
    this.root = element("morph");
    this.range = elementOf("morph-range", HTMLInputElement);
    this.range.max = String(limits.arc_steps);
    this.range.step = String(limits.arc_steps / STEPS);
    this.ends = ["morph-a", "morph-b"].map((id) => {
      const button = element(id);
      return { button, picture: new Picture(queue, childOf(button, "img", HTMLImageElement)) };
    });
    this.range.addEventListener("input", () => this.moved());
    this.range.addEventListener("change", () => onMoved(Number(this.range.value)));
    this.loading = new AbortController();
    /** @type {string | null} what is open: the pair and its version */
    this.key = null;
    /** @type {number | null} */
    this.wanted = null;
    this.fetching = false;
    /** @type {Map<number, HTMLImageElement>} by t */
    this.frames = new Map();
    /** @type {Map<number, Promise<void>>} what is being loaded, by t */
    this.pending = new Map();
    /** @type {(t: number) => string} */
    this.urlOf = () => "";
  }

  /**
   * Shows the pair; called again with another t, it only moves the slider.
   * @param {Between} pair
   * @param {Version} version
   */
  open({ a, b, t }, version) {
    this.root.hidden = false;
    this.range.value = String(t);
    const key = JSON.stringify([a, b, version]);
    if (key !== this.key) this.start(key, a, b, version);
    this.moved();
  }

  /**
   * @param {string} key
   * @param {number} a
   * @param {number} b
   * @param {Version} version
   */
  start(key, a, b, version) {
    this.close();
    this.root.hidden = false;
    this.key = key;
    this.loading = new AbortController();
    this.urlOf = (t) => pictureUrl(between(a, b, t), "webp", version);
    this.range.setAttribute("aria-label", `From street ${a} to street ${b}`);
    [a, b].forEach((seed, index) => {
      const { button, picture } = this.ends[index];
      button.setAttribute("aria-label", `Street ${seed}`);
      picture.load(pictureUrl(street(seed), "webp", version), () => AHEAD);
    });
    for (const t of stepsAhead()) if (t !== Number(this.range.value)) this.fetch(t);
  }

  close() {
    this.loading.abort();
    this.key = null;
    this.wanted = null;
    this.fetching = false;
    for (const image of this.frames.values()) URL.revokeObjectURL(image.src);
    this.frames = new Map();
    this.pending = new Map();
    this.ends.forEach(({ picture }) => picture.release());
    this.root.hidden = true;
  }

  moved() {
    const t = Number(this.range.value);
    this.range.setAttribute("aria-valuetext", `${Math.round((t * 100) / limits.arc_steps)} % of the way`);
    this.showNearest();
    if (this.frames.has(t)) return;
    this.wanted = t;
    this.fetchNewest();
  }

  // One position at a time; positions passed over in the meantime are never requested.
  async fetchNewest() {
    if (this.fetching) return;
    const loading = this.loading;
    this.fetching = true;
    while (this.wanted !== null && !loading.signal.aborted) {
      const t = this.wanted;
      this.wanted = null;
      if (!this.frames.has(t)) await this.fetch(t);
    }
    if (loading === this.loading) this.fetching = false;
  }

  /**
   * A step that is on its way is not requested again.
   * @param {number} t
   * @returns {Promise<void>}
   */
  fetch(t) {
    const { pending } = this;
    const begun = pending.get(t);
    if (begun) return begun;
    const fetched = this.load(t).finally(() => pending.delete(t));
    pending.set(t, fetched);
    return fetched;
  }

  /** @param {number} t */
  async load(t) {
    const { signal } = this.loading;
    const urgency = () => (t === Number(this.range.value) ? URGENT : AHEAD);
    try {
      const blob = await this.queue.load(this.urlOf(t), { signal, urgency });
      const image = new Image();
      image.src = URL.createObjectURL(blob);
      await image.decode();
      if (signal.aborted || this.frames.has(t)) {
        URL.revokeObjectURL(image.src);
        return;
      }
      this.frames.set(t, image);
      this.showNearest();
    } catch (error) {
      if (!signal.aborted && error instanceof Error) this.onError(error);
    }
  }

  showNearest() {
    const t = Number(this.range.value);
    const [nearest] = [...this.frames].sort(([x], [y]) => Math.abs(x - t) - Math.abs(y - t));
    if (nearest) this.showImage(nearest[1]);
  }
}
