// Puts the gallery together.
import { readHash, readQuery } from "./address.js";
import { announce } from "./announce.js";
import { pictureUrl } from "./api.js";
import { createChoosing } from "./choosing.js";
import { element } from "./dom.js";
import { keepFacts, refreshFacts } from "./facts.js";
import { toggleFavourite, wireFavourites } from "./favourites.js";
import { PictureQueue } from "./picture_queue.js";
import { createRouter } from "./router.js";
import { createStatus } from "./status.js";
import { createStore } from "./store.js";
import { randomSeed, street, wrapSeed } from "./subject.js";
import { dropUnknownEpoch, wireTimeSlider } from "./time_slider.js";
import { wireTraining } from "./training.js";
import { Viewer } from "./viewer.js";
import { Wall } from "./wall.js";
import { wireWallKeys } from "./wall_keys.js";
/** @import { Source } from "./wall.js" */

const SCRUB_PAUSE = 120; // milliseconds that the time slider rests before the wall is loaded again

const store = createStore({
  ...readQuery(),
  view: readHash().view,
  subject: null,
  pinned: null,
  digest: null,
  following: false,
  checkpoints: { epochs: [], current: null },
  training: false,
});

/** @type {Promise<unknown> | null} one request at a time, however many pictures are missing */
let asking = null;
function askForModel() {
  asking ??= refreshFacts(store).catch(() => {}).finally(() => { asking = null; });
}

const status = createStatus(() => {
  queue.resume();
  askForModel();
  announce("The model is ready.");
});
const queue = new PictureQueue((error) => status.trouble(error));
const router = createRouter(store);
const choosing = createChoosing(store, router, queue, () => wall.focus(wall.current));
/** @param {number} seed */
const favourite = (seed) => toggleFavourite(store, seed);

/** @type {Source} */
const everyStreet = {
  count: Infinity,
  seedAt: (index) => wrapSeed(store.get("from") + index),
  indexOf: (seed) => wrapSeed(seed - store.get("from")),
};

/** @returns {Source} */
function favouriteStreets() {
  const seeds = store.get("favourites");
  return { count: seeds.length, seedAt: (index) => seeds[index], indexOf: (seed) => seeds.indexOf(seed) };
}

const wall = new Wall(element("wall"), queue, {
  urlOf: (seed) => pictureUrl(street(seed), "webp", router.wallVersion()),
  isFavourite: (seed) => store.get("favourites").includes(seed),
  onOpen: (seed) => { if (!choosing.take(seed)) router.open(street(seed)); },
  onError(error) {
    // Perhaps another model is being served by now: the facts will say so, and the wall is loaded again.
    if (error.status === 404) askForModel();
    status.note(error.message);
  },
});
wireWallKeys(wall, favourite);

new Viewer(store, router, queue, {
  favourite,
  choose: choosing.start,
  step(seed, by) {
    const { source } = wall;
    const index = source.indexOf(seed);
    if (index < 0 || source.count === Infinity) return wrapSeed(seed + by);
    return source.seedAt((index + by + source.count) % source.count);
  },
});

// Back on the wall, the focus goes to the picture that was open last, if it is nearby.
/** @type {number | null} */
let lastSeed = null;
function returnToWall() {
  if (lastSeed === null) return;
  const index = wall.source.indexOf(lastSeed);
  const { firstVisible, rowsPerScreen, columns } = wall.layout;
  const near = Math.abs(index - firstVisible) < 4 * rowsPerScreen * columns;
  if (index >= 0 && near) wall.focus(index);
  lastSeed = null;
}

function showView() {
  const view = store.get("view");
  element("intro").hidden = view !== "wall";
  element("favourites").hidden = view !== "favourites";
  element("training").hidden = view !== "training";
  wall.element.hidden = view === "training";
  element("bars").hidden = view === "training";
  const label = view === "favourites" ? "Favourite streets" : "Streets that do not exist";
  wall.element.setAttribute("aria-label", label);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#/${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  status.clearNote();
  if (view === "training") scrollTo(0, 0);
  else wall.show(view === "favourites" ? favouriteStreets() : everyStreet, history.state?.index ?? 0);
}

function rememberPlace() {
  if (store.get("view") === "training") return;
  history.replaceState({ ...history.state, index: wall.layout.firstVisible }, "");
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let scrubbing;
store.watch(["view"], showView);
store.watch(["from"], () => { if (store.get("view") === "wall") wall.show(everyStreet); });
store.watch(["favourites"], () => {
  if (store.get("view") !== "favourites") {
    wall.markFavourites();
    return;
  }
  const focused = wall.element.contains(document.activeElement);
  const { current } = wall;
  wall.show(favouriteStreets(), wall.layout.firstVisible);
  if (focused) wall.focus(current);
});
store.watch(["epoch"], () => {
  status.clearNote();
  clearTimeout(scrubbing);
  scrubbing = setTimeout(() => wall.reload(), SCRUB_PAUSE);
});
store.watch(["subject"], () => {
  const subject = store.get("subject");
  if (subject?.kind === "street") lastSeed = subject.seed;
  if (!subject) returnToWall();
});
// Another model is being served: a newer one of the run that is followed, or a different one after a restart.
store.watch(["digest"], () => {
  status.clearNote();
  if (store.get("epoch") === null) wall.reload({ again: true });
  queue.release();
});
store.watch(["checkpoints"], () => dropUnknownEpoch(store, status.note));

element("elsewhere").addEventListener("click", () => {
  store.set({ from: randomSeed() });
  if (store.get("view") !== "wall") router.go("wall");
  announce(`Streets from number ${store.get("from")} on.`);
});
element("home").addEventListener("click", (event) => {
  event.preventDefault();
  store.set({ from: 0 });
  router.go("wall");
  wall.show(everyStreet);
});

history.scrollRestoration = "manual";
addEventListener("scrollend", rememberPlace);
wireTimeSlider(element("time"), store);
wireTimeSlider(element("viewer-time"), store);
wireFavourites(store, router.shownVersion);
showView();
router.route();
// Pictures wait for the model: with its digest in their addresses, they can be cached for good.
keepFacts(store, () => queue.release());
wireTraining(store, queue);
