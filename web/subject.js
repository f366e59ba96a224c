// What can be looked at: a street (a seed), a neighbour of one, a point on the way between two.
import { limits } from "./limits.js";

/** @typedef {{ kind: "street", seed: number }} Street */
/** @typedef {{ kind: "near", seed: number, k: number }} Near */
/** @typedef {{ kind: "between", a: number, b: number, t: number }} Between */
/** @typedef {Street | Near | Between} Subject */

const SEEDS = 2 ** 32; // the server takes larger ones, which JavaScript cannot count
export const NEIGHBOURS = 8; // that are shown

/** @type {(seed: number) => Street} */
export const street = (seed) => ({ kind: "street", seed });
/** @type {(seed: number, k: number) => Near} */
export const near = (seed, k) => ({ kind: "near", seed, k });
/** @type {(a: number, b: number, t: number) => Between} */
export const between = (a, b, t) => ({ kind: "between", a, b, t });

/** @type {(a: number, b: number) => Between} */
export const halfway = (a, b) => between(a, b, limits.arc_steps / 2);

/** @param {number} number */
export const wrapSeed = (number) => ((number % SEEDS) + SEEDS) % SEEDS;
export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/**
 * A whole number from 0 to `max`, or null: people type into the address bar.
 * @param {string | null | undefined} text
 * @param {number} max
 */
export function parseNumber(text, max) {
  if (!/^\d{1,10}$/.test(text ?? "")) return null;
  const number = Number(text);
  return number <= max ? number : null;
}

/** @param {string | null | undefined} text */
export const parseSeed = (text) => parseNumber(text, SEEDS - 1);

/** @param {Subject} subject */
export function subjectPath(subject) {
  switch (subject.kind) {
    case "street": return `street/${subject.seed}`;
    case "near": return `near/${subject.seed}/${subject.k}`;
    default: return `between/${subject.a}/${subject.b}/${subject.t}`;
  }
}

/**
 * The inverse of subjectPath; null for any other text.
 * @param {string} path
 * @returns {Subject | null}
 */
export function parseSubject(path) {
  const [kind, ...words] = path.split("/");
  const numbers = words.map(parseSeed).filter((number) => number !== null);
  if (numbers.length !== words.length) return null;
  const [a, b, t] = numbers;
  if (kind === "street" && numbers.length === 1) return street(a);
  if (kind === "near" && numbers.length === 2 && b >= 1 && b <= limits.max_neighbours) return near(a, b);
  if (kind === "between" && numbers.length === 3 && t <= limits.arc_steps) return between(a, b, t);
  return null;
}

/** @param {Subject} subject */
export function subjectTitle(subject) {
  switch (subject.kind) {
    case "street": return `Street ${subject.seed}`;
    case "near": return `Near street ${subject.seed}, no. ${subject.k}`;
    default: return `Street ${subject.a} to street ${subject.b}`;
  }
}
