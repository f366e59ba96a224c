// Choosing the second street of a morph on the wall: a bar at the bottom says so until one is chosen or Escape pressed.
import { announce } from "./announce.js";
import { pictureUrl } from "./api.js";
import { Picture } from "./picture.js";
import { between, randomSeed } from "./subject.js";

// `leave()` when nothing was chosen: the keyboard has to go somewhere.
export function createChoosing(store, router, queue, leave) {
  const bar = document.getElementById("choosing");
  const picture = new Picture(queue, bar.querySelector("img"));
  let first = null;

  function start(seed) {
    first = seed;
    bar.hidden = false;
    document.body.classList.add("choosing");
    document.getElementById("choosing-text").textContent = `Choose the street that street ${seed} turns into.`;
    picture.load(pictureUrl({ kind: "street", seed }, "webp", router.shownVersion()), () => 0);
    router.close();
    announce(`Choose the street that street ${seed} turns into. Escape gives up.`);
  }

  function stop() {
    first = null;
    bar.hidden = true;
    document.body.classList.remove("choosing");
    picture.release();
  }

  function giveUp() {
    stop();
    leave();
    announce("Nothing was chosen.");
  }

  // True when `seed` was the second street: then the pair is open.
  function take(seed) {
    if (first === null) return false;
    const a = first;
    stop();
    router.open(between(a, seed, 500));
    return true;
  }

  document.getElementById("choosing-random").addEventListener("click", () => take(randomSeed()));
  document.getElementById("choosing-cancel").addEventListener("click", giveUp);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && first !== null && !store.get("subject")) giveUp();
  });
  return { start, take };
}
