// The address bar. Query: where the wall starts, the epoch, the favourites. After the #: the view, or what is
// open.
//   /?from=70000&epoch=12&favourites=3,7#/street/70003?model=0123456789ab
import { limits } from "./limits.js";
import { parseNumber, parseSeed, parseSubject, subjectPath } from "./subject.js";
/** @import { Subject } from "./subject.js" */

/** @typedef {"wall" | "favourites" | "training"} View */
/**
 * Which model a picture is of: a saved epoch, the model with a digest, or the current model.
 * @typedef {{ epoch?: number, model?: string }} Version
 */
/** @typedef {{ from: number, epoch: number | null, favourites: number[] }} Query */

const MAX_EPOCH = 1e9;
const DIGEST_DIGITS = 16;

/** @param {string} digest */
export const shortDigest = (digest) => digest.slice(0, DIGEST_DIGITS);

/** @returns {Query} */
export function readQuery(search = location.search) {
  const query = new URLSearchParams(search);
  const seeds = (query.get("favourites") ?? "").split(",").map(parseSeed).filter((seed) => seed !== null);
  return {
    from: parseSeed(query.get("from")) ?? 0,
    epoch: parseNumber(query.get("epoch"), MAX_EPOCH),
    favourites: [...new Set(seeds)].slice(0, limits.max_grid_pictures),
  };
}

/** @param {Query} query */
function searchOf({ from, epoch, favourites }) {
  const words = [];
  if (from > 0) words.push(`from=${from}`);
  if (epoch !== null) words.push(`epoch=${epoch}`);
  if (favourites.length > 0) words.push(`favourites=${favourites.join(",")}`);
  return words.length > 0 ? `?${words.join("&")}` : "";
}

/** @param {Query} query */
export function writeQuery(query) {
  const search = searchOf(query);
  if (search === location.search) return;
  history.replaceState(history.state, "", `${location.pathname}${search}${location.hash}`);
}

/**
 * A subject is shown over a view; an unknown address means the wall.
 * @returns {{ view: View, subject: Subject | null, version: Version }}
 */
export function readHash(hash = location.hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  if (path === "favourites" || path === "training") return { view: path, subject: null, version: {} };
  return { view: "wall", subject: parseSubject(path), version: readVersion(new URLSearchParams(query)) };
}

/**
 * @param {URLSearchParams} values
 * @returns {Version}
 */
function readVersion(values) {
  const epoch = parseNumber(values.get("epoch"), MAX_EPOCH);
  if (epoch !== null) return { epoch };
  const model = values.get("model") ?? "";
  const { min_digest_digits: min, max_digest_digits: max } = limits;
  return /^[0-9a-f]+$/.test(model) && model.length >= min && model.length <= max ? { model } : {};
}

/**
 * @param {Subject} subject
 * @param {Version} version
 */
export function hashOf(subject, version = {}) {
  const values = new URLSearchParams();
  if (version.epoch !== undefined) values.set("epoch", String(version.epoch));
  if (version.model !== undefined) values.set("model", version.model);
  const query = values.toString();
  return `#/${subjectPath(subject)}${query ? `?${query}` : ""}`;
}

/** @param {View} view */
export const hashOfView = (view) => (view === "wall" ? "#/" : `#/${view}`);

// Addresses to share: without what only the sender was looking at.

const page = () => `${location.origin}${location.pathname}`;

/** @type {(subject: Subject, version: Version) => string} */
export const permalink = (subject, version) => `${page()}${hashOf(subject, version)}`;

/** @param {number[]} favourites */
export function favouritesLink(favourites) {
  return `${page()}${searchOf({ from: 0, epoch: null, favourites })}#/favourites`;
}
