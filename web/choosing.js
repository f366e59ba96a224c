// Choosing the second street of a morph on the wall: a bar at the bottom says so until one is chosen or
// Escape pressed.
import { announce } from "./announce.js";
import { pictureUrl } from "./api.js";
import { childOf, element } from "./dom.js";
import { Picture } from "./picture.js";
import { halfway, randomSeed, street } from "./subject.js";
/** @import { PictureQueue } from "./picture_queue.js" */
/** @import { Router } from "./router.js" */
/** @import { Store } from "./store.js" */

/**
 * @param {Store} store
 * @param {Router} router
 * @param {PictureQueue} queue
 * @param {() => void} leave called when nothing was chosen: the keyboard focus has to go somewhere
 */
export function createChoosing(store, router, queue, leave) {
  const bar = element("choosing");
  const picture = new Picture(queue, childOf(bar, "img", HTMLImageElement));
  /** @type {number | null} */
  let first = null;

  /** @param {number} seed */
  function start(seed) {
    first = seed;
    bar.hidden = false;
    document.body.classList.add("choosing");
    element("choosing-text").textContent = `Choose the street that street ${seed} turns into.`;
    picture.load(pictureUrl(street(seed), "webp", router.shownVersion()), () => 0);
    router.close();
    announce(`Choose the street that street ${seed} turns into. Press Escape to cancel.`);
  }

  function stop() {
    first = null;
    bar.hidden = true;
    document.body.classList.remove("choosing");
    picture.release();
  }

  function cancel() {
    stop();
    leave();
    announce("No street was chosen.");
  }

  /**
   * Whether `seed` was the second street; the pair is open then.
   * @param {number} seed
   */
  function take(seed) {
    if (first === null) return false;
    const a = first;
    stop();
    router.open(halfway(a, seed));
    return true;
  }

  element("choosing-random").addEventListener("click", () => take(randomSeed()));
  element("choosing-cancel").addEventListener("click", cancel);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && first !== null && !store.get("subject")) cancel();
  });
  return { start, take };
}
