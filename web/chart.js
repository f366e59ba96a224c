// Line charts in SVG: a few curves over the images seen, with the newest values written out beside the title.
/** @import { Curve, Point } from "./api.js" */

/**
 * Curve number i is drawn in the style .curve-i.
 * @typedef {{ title: string, curves: { key: Curve, name: string }[], digits?: number }} Chart
 */
/** @typedef {{ images: number, value: number }} Sample */

const NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH = 480;
const HEIGHT = 200;
const LEFT = 40;
const RIGHT = 8;
const BOTTOM = 22;
const TOP = 8;

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

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
 * @param {number} min
 * @param {number} max
 */
function ticks(min, max) {
  const step = tickStep(max - min || 1);
  const first = Math.ceil(min / step);
  const count = Math.floor(max / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/**
 * The points at which the curve has a value.
 * @param {Point[]} points
 * @param {Curve} key
 * @returns {Sample[]}
 */
function samplesOf(points, key) {
  return points.flatMap(({ images, [key]: value }) => (
    Number.isFinite(images) && value !== null && Number.isFinite(value) ? [{ images, value }] : []));
}

/**
 * @param {HTMLElement} figure
 * @param {Point[]} points
 * @param {Chart} chart
 */
export function drawChart(figure, points, { title, curves, digits = 2 }) {
  const drawn = curves
    .map(({ key, name }, number) => ({ name, number, samples: samplesOf(points, key) }))
    .filter(({ samples }) => samples.length > 0);
  figure.hidden = drawn.length === 0;
  if (figure.hidden) return;
  const values = drawn.flatMap(({ samples }) => samples.map(({ value }) => value));
  const images = points.map((point) => point.images).filter(Number.isFinite);
  const [left, right] = [Math.min(...images), Math.max(...images)];
  const min = Math.min(0, ...values);
  const max = Math.max(...values, min + 1e-6);
  /** @param {number} value */
  const x = (value) => LEFT + ((value - left) / (right - left || 1)) * (WIDTH - LEFT - RIGHT);
  /** @param {number} value */
  const y = (value) => HEIGHT - BOTTOM - ((value - min) / (max - min)) * (HEIGHT - BOTTOM - TOP);
  /** @param {Sample} sample */
  const place = (sample) => `${x(sample.images).toFixed(1)} ${y(sample.value).toFixed(1)}`;

  const newest = drawn.map(({ name, number, samples }) => (
    { number, text: `${name} ${samples[samples.length - 1].value.toFixed(digits)}` }));
  const words = newest.map(({ text }) => text).join(", ");
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const seen = compact.format(right);
  picture.setAttribute("aria-label", `${title} over training. After ${seen} images: ${words}.`);
  for (const value of ticks(min, max)) {
    picture.append(svg("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }));
    const text = compact.format(value);
    picture.append(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, text));
  }
  for (const value of ticks(left, right)) {
    const text = compact.format(value);
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
