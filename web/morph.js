// The way from one street to another under a slider. While it is dragged the nearest picture at hand is shown at once,
// and only the newest position is fetched; meanwhile a few steps are fetched ahead, the coarse ones first.
import { pictureUrl } from "./api.js";
import { Picture } from "./picture.js";
import { between, street, T_MAX } from "./subject.js";

const URGENT = 0;
const AHEAD = 2;

// 500, 250, 750, 125, ...: every stop halves the longest stretch without a picture.
function stepsAhead() {
  const steps = [0, T_MAX];
  for (let parts = 2; parts <= 16; parts *= 2) {
    for (let part = 1; part < parts; part += 2) steps.push(Math.round((T_MAX * part) / parts / 10) * 10);
  }
  return steps;
}

export class Morph {
  // `show(image)` puts a picture on the stage; `onMoved(t)` when the slider rests; `onError(error)`.
  constructor(queue, { show, onMoved, onError }) {
    this.queue = queue;
    this.showImage = show;
    this.onError = onError;
    this.root = document.getElementById("morph");
    this.range = document.getElementById("morph-range");
    this.ends = ["morph-a", "morph-b"].map((id) => new Picture(queue, document.querySelector(`#${id} img`)));
    this.range.addEventListener("input", () => this.moved());
    this.range.addEventListener("change", () => onMoved(Number(this.range.value)));
    this.key = null;
  }

  // Shows the pair; calling it again with another t only moves the slider.
  open({ a, b, t }, version) {
    this.root.hidden = false;
    this.range.value = String(t);
    const key = JSON.stringify([a, b, version]);
    if (key !== this.key) this.start(key, a, b, version);
    this.moved();
  }

  start(key, a, b, version) {
    this.close();
    this.root.hidden = false;
    this.key = key;
    this.loading = new AbortController();
    this.urlOf = (t) => pictureUrl(between(a, b, t), "webp", version);
    this.range.setAttribute("aria-label", `From street ${a} to street ${b}`);
    for (const [picture, id, seed] of [[this.ends[0], "morph-a", a], [this.ends[1], "morph-b", b]]) {
      document.getElementById(id).setAttribute("aria-label", `Street ${seed}`);
      picture.load(pictureUrl(street(seed), "webp", version), () => AHEAD);
    }
    for (const t of stepsAhead()) if (t !== Number(this.range.value)) this.fetch(t, () => AHEAD);
  }

  close() {
    this.loading?.abort();
    this.key = null;
    this.wanted = null;
    this.fetching = false;
    for (const image of this.frames?.values() ?? []) URL.revokeObjectURL(image.src);
    this.frames = new Map();
    this.ends.forEach((picture) => picture.release());
    this.root.hidden = true;
  }

  moved() {
    const t = Number(this.range.value);
    this.range.setAttribute("aria-valuetext", `${Math.round((t * 100) / T_MAX)} % of the way`);
    this.showNearest();
    if (this.frames.has(t)) return;
    this.wanted = t;
    this.fetchNewest();
  }

  // One position at a time; positions passed over in the meantime are never asked for.
  async fetchNewest() {
    if (this.fetching) return;
    const loading = this.loading;
    this.fetching = true;
    while (this.wanted !== null && !loading.signal.aborted) {
      const t = this.wanted;
      this.wanted = null;
      await this.fetch(t, () => URGENT);
    }
    if (loading === this.loading) this.fetching = false;
  }

  async fetch(t, urgency) {
    const { signal } = this.loading;
    try {
      const blob = await this.queue.load(this.urlOf(t), { signal, urgency });
      const image = new Image();
      image.src = URL.createObjectURL(blob);
      await image.decode();
      if (signal.aborted || this.frames.has(t)) return URL.revokeObjectURL(image.src);
      this.frames.set(t, image);
      this.showNearest();
    } catch (error) {
      if (!signal.aborted) this.onError(error);
    }
  }

  showNearest() {
    const t = Number(this.range.value);
    const nearest = [...this.frames.keys()].sort((x, y) => Math.abs(x - t) - Math.abs(y - t))[0];
    if (nearest !== undefined) this.showImage(this.frames.get(nearest));
  }
}
