// The favourites: seeds in the order of choosing, kept in the address, so that a link carries them.
import { favouritesLink, MOST_FAVOURITES } from "./address.js";
import { announce } from "./announce.js";
import { gridUrl, morphUrl } from "./api.js";
import { copyField } from "./copy.js";

const LOOP_SEEDS = 8; // what one loop of /v1/morph takes

export function toggleFavourite(store, seed) {
  const favourites = store.get("favourites");
  if (favourites.includes(seed)) {
    store.set({ favourites: favourites.filter((other) => other !== seed) });
    announce(`Street ${seed} is no longer a favourite.`);
  } else if (favourites.length >= MOST_FAVOURITES) {
    announce(`There is room for ${MOST_FAVOURITES} favourites. Remove one first.`);
  } else {
    store.set({ favourites: [...favourites, seed] });
    announce(`Street ${seed} is a favourite: ${favourites.length + 1} in all.`);
  }
}

// What stands above the wall of favourites: their link, all of them on one sheet, a loop through the first.
export function wireFavourites(store, version) {
  const element = (name) => document.getElementById(name);
  const field = element("favourites-link");

  function show() {
    const seeds = store.get("favourites");
    element("favourites-count").textContent = seeds.length > 0 ? String(seeds.length) : "";
    element("favourites-empty").hidden = seeds.length > 0;
    element("favourites-tools").hidden = seeds.length === 0;
    if (seeds.length === 0) return;
    field.value = favouritesLink(seeds);
    element("favourites-sheet").href = gridUrl(seeds, "png", Math.ceil(Math.sqrt(seeds.length)), version());
    element("favourites-loop").hidden = seeds.length < 2;
    element("favourites-loop").href = morphUrl(seeds.slice(0, LOOP_SEEDS), "webp", version());
  }

  element("favourites-copy").addEventListener("click", async () => {
    announce((await copyField(field)) ? "The link is copied." : "Copying is not allowed here; the link is selected.");
  });
  store.watch(["favourites", "epoch", "digest"], show);
  show();
}
