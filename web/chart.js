// Line charts in SVG: a few curves, with the newest values written out beside the title.

/** @typedef {Record<string, number | null | undefined>} Values the values of one point */
/**
 * What runs from left to right.
 * @typedef {object} Axis
 * @property {string} key
 * @property {(left: number, right: number) => number[]} ticks
 * @property {(value: number) => string} write
 * @property {string} over in words
 * @property {(value: number) => string} moment the newest point, as the beginning of a sentence
 */
/**
 * Curve number i is drawn in the style .curve-i. Values are multiplied by `scale`. With `max`, the scale on the
 * left goes up to it whatever the values are.
 * @typedef {object} Chart
 * @property {string} title
 * @property {{ key: string, name: string }[]} curves
 * @property {number} [digits]
 * @property {string} [unit]
 * @property {number} [scale]
 * @property {number} [max]
 */
/** @typedef {{ at: number, value: number }} Sample */

const NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH = 480;
const HEIGHT = 200;
const LEFT = 40;
const RIGHT = 8;
const BOTTOM = 22;
const TOP = 8;

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function svg(name, attributes, text) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

/**
 * A round step that gives about four lines.
 * @param {number} span
 */
function tickStep(span) {
  const power = 10 ** Math.floor(Math.log10(span / 4));
  return power * ([1, 2, 5].find((factor) => power * factor >= span / 4) ?? 10);
}

/**
 * The multiples of a step.
 * @param {number} min
 * @param {number} max
 * @param {number} step
 */
function multiples(min, max, step) {
  const first = Math.ceil(min / step);
  const count = Math.floor(max / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** @type {(min: number, max: number) => number[]} */
const ticks = (min, max) => multiples(min, max, tickStep(max - min || 1));

/** @type {Axis} */
export const IMAGES = {
  key: "images",
  ticks,
  write: (value) => compact.format(value),
  over: "training",
  moment: (value) => `After ${compact.format(value)} images`,
};

const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 240, 360, 720, 1440];

/** @param {number} seconds since 1970 */
export const clockTime = (seconds) => clock.format(seconds * 1000);

/** @type {Axis} */
export const CLOCK = {
  key: "time",
  ticks(left, right) {
    // Round times of the day, where the reader is.
    const shift = new Date(right * 1000).getTimezoneOffset() * 60;
    const step = 60 * (MINUTES.find((minutes) => minutes * 60 * 5 >= right - left) ?? 1440);
    return multiples(left - shift, right - shift, step).map((value) => value + shift);
  },
  write: clockTime,
  over: "time",
  moment: (value) => `At ${clockTime(value)}`,
};

/**
 * The points at which the curve has a value.
 * @param {Values[]} points
 * @param {string} x
 * @param {string} key
 * @param {number} scale
 * @returns {Sample[]}
 */
function samplesOf(points, x, key, scale) {
  return points.flatMap(({ [x]: at, [key]: value }) => (
    Number.isFinite(at) && Number.isFinite(value) ? [{ at: Number(at), value: Number(value) * scale }] : []));
}

/**
 * @param {HTMLElement} figure
 * @param {Values[]} points
 * @param {Axis} axis
 * @param {Chart} chart
 */
export function drawChart(figure, points, axis, { title, curves, digits = 2, unit = "", scale = 1, max: least = 0 }) {
  const drawn = curves
    .map(({ key, name }, number) => ({ name, number, samples: samplesOf(points, axis.key, key, scale) }))
    .filter(({ samples }) => samples.length > 0);
  figure.hidden = drawn.length === 0;
  if (figure.hidden) return;
  const values = drawn.flatMap(({ samples }) => samples.map(({ value }) => value));
  const places = points.map((point) => Number(point[axis.key])).filter(Number.isFinite);
  const [left, right] = [Math.min(...places), Math.max(...places)];
  const min = Math.min(0, ...values);
  const max = Math.max(...values, least, min + 1e-6);
  /** @param {number} at */
  const x = (at) => LEFT + ((at - left) / (right - left || 1)) * (WIDTH - LEFT - RIGHT);
  /** @param {number} value */
  const y = (value) => HEIGHT - BOTTOM - ((value - min) / (max - min)) * (HEIGHT - BOTTOM - TOP);
  /** @param {Sample} sample */
  const place = (sample) => `${x(sample.at).toFixed(1)} ${y(sample.value).toFixed(1)}`;

  const newest = drawn.map(({ name, number, samples }) => (
    { number, text: `${name} ${samples[samples.length - 1].value.toFixed(digits)}${unit}` }));
  const words = newest.map(({ text }) => text).join(", ");
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  picture.setAttribute("aria-label", `${title} over ${axis.over}. ${axis.moment(right)}: ${words}.`);
  for (const value of ticks(min, max)) {
    picture.append(svg("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }));
    const text = `${compact.format(value)}${unit === "%" ? unit : ""}`;
    picture.append(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, text));
  }
  for (const value of axis.ticks(left, right)) {
    const text = axis.write(value);
    picture.append(svg("text", { x: x(value), y: HEIGHT - 4, "text-anchor": "middle" }, text));
  }
  for (const { number, samples } of drawn) {
    picture.append(svg("path", { class: `curve curve-${number}`, d: `M${samples.map(place).join("L")}` }));
  }
  figure.replaceChildren(captionOf(title, newest), picture);
}

/**
 * @param {string} title
 * @param {{ number: number, text: string }[]} newest
 */
function captionOf(title, newest) {
  const caption = document.createElement("figcaption");
  const heading = document.createElement("strong");
  heading.textContent = title;
  caption.append(heading);
  for (const { number, text } of newest) {
    const entry = document.createElement("span");
    entry.className = `key key-${number}`;
    entry.textContent = text;
    caption.append(entry);
  }
  return caption;
}
