// The address bar. Query: where the wall starts, the epoch, the favourites. After the #: the view, or what is open.
//   /?from=70000&epoch=12&favourites=3,7#/street/70003?model=0123456789ab
import { parseNumber, parseSeed, parseSubject, subjectPath } from "./subject.js";

export const MOST_FAVOURITES = 64; // what one sheet of /v1/grid holds
const DIGEST_DIGITS = 16;
const VIEWS = ["favourites", "training"];

export const shortDigest = (digest) => digest.slice(0, DIGEST_DIGITS);

export function readQuery(search = location.search) {
  const query = new URLSearchParams(search);
  const seeds = (query.get("favourites") ?? "").split(",").map(parseSeed).filter((seed) => seed !== null);
  return {
    from: parseSeed(query.get("from")) ?? 0,
    epoch: parseNumber(query.get("epoch"), 1e9),
    favourites: [...new Set(seeds)].slice(0, MOST_FAVOURITES),
  };
}

function searchOf({ from, epoch, favourites }) {
  const words = [];
  if (from > 0) words.push(`from=${from}`);
  if (epoch !== null) words.push(`epoch=${epoch}`);
  if (favourites.length > 0) words.push(`favourites=${favourites.join(",")}`);
  return words.length > 0 ? `?${words.join("&")}` : "";
}

export function writeQuery(values) {
  const search = searchOf(values);
  if (search === location.search) return;
  history.replaceState(history.state, "", `${location.pathname}${search}${location.hash}`);
}

// {view, subject, version}: a subject lies over a view; an address that means nothing is the wall.
export function readHash(hash = location.hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  if (VIEWS.includes(path)) return { view: path, subject: null, version: {} };
  const values = new URLSearchParams(query);
  const version = {};
  const epoch = parseNumber(values.get("epoch"), 1e9);
  if (epoch !== null) version.epoch = epoch;
  else if (/^[0-9a-f]{12,64}$/.test(values.get("model") ?? "")) version.model = values.get("model");
  return { view: "wall", subject: parseSubject(path), version };
}

export function hashOf(subject, version = {}) {
  const values = new URLSearchParams(version).toString();
  return `#/${subjectPath(subject)}${values ? `?${values}` : ""}`;
}

export const hashOfView = (view) => (view === "wall" ? "#/" : `#/${view}`);

// Addresses to hand to others: without what only the sender was looking at.
export const permalink = (subject, version) => `${location.origin}${location.pathname}${hashOf(subject, version)}`;

export function favouritesLink(favourites) {
  return `${location.origin}${location.pathname}${searchOf({ from: 0, epoch: null, favourites })}#/favourites`;
}
