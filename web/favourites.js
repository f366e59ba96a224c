// The favourites: seeds in the order in which they were chosen, kept in the address, so that a link carries
// them.
import { favouritesLink } from "./address.js";
import { announce } from "./announce.js";
import { gridUrl, morphUrl } from "./api.js";
import { copyField } from "./copy.js";
import { element, elementOf } from "./dom.js";
import { limits } from "./limits.js";
/** @import { Version } from "./address.js" */
/** @import { Store } from "./store.js" */

const MAX_FAVOURITES = limits.max_grid_pictures; // so that they fit on one sheet

/**
 * @param {Store} store
 * @param {number} seed
 */
export function toggleFavourite(store, seed) {
  const favourites = store.get("favourites");
  if (favourites.includes(seed)) {
    store.set({ favourites: favourites.filter((other) => other !== seed) });
    announce(`Street ${seed} is no longer a favourite.`);
  } else if (favourites.length >= MAX_FAVOURITES) {
    announce(`There can be at most ${MAX_FAVOURITES} favourites. Remove one first.`);
  } else {
    store.set({ favourites: [...favourites, seed] });
    announce(`Street ${seed} is a favourite. There are ${favourites.length + 1} now.`);
  }
}

/**
 * The tools above the favourites: their link, all of them on one sheet, a loop through the first ones.
 * @param {Store} store
 * @param {() => Version} version
 */
export function wireFavourites(store, version) {
  const field = elementOf("favourites-link", HTMLInputElement);
  const sheet = elementOf("favourites-sheet", HTMLAnchorElement);
  const loop = elementOf("favourites-loop", HTMLAnchorElement);

  function show() {
    const seeds = store.get("favourites");
    element("favourites-count").textContent = seeds.length > 0 ? String(seeds.length) : "";
    element("favourites-empty").hidden = seeds.length > 0;
    element("favourites-tools").hidden = seeds.length === 0;
    if (seeds.length === 0) return;
    field.value = favouritesLink(seeds);
    sheet.href = gridUrl(seeds, "png", Math.ceil(Math.sqrt(seeds.length)), version());
    loop.hidden = seeds.length < 2;
    loop.href = morphUrl(seeds.slice(0, limits.max_morph_seeds), "webp", version());
  }

  element("favourites-copy").addEventListener("click", async () => {
    const copied = await copyField(field);
    announce(copied ? "The link was copied." : "Copying is not allowed here; the link is selected.");
  });
  store.watch(["favourites", "epoch", "digest"], show);
  show();
}
