// One picture large, in a dialog: what it is, where one can go from it, what can be done with it.
import { announce } from "./announce.js";
import { pictureUrl } from "./api.js";
import { element, elementOf } from "./dom.js";
import { Morph } from "./morph.js";
import { Neighbours } from "./neighbours.js";
import { Picture } from "./picture.js";
import { halfway, near, NEIGHBOURS, randomSeed, street, subjectTitle } from "./subject.js";
import { wireLinks } from "./viewer_links.js";
/** @import { Version } from "./address.js" */
/** @import { PictureQueue } from "./picture_queue.js" */
/** @import { Router } from "./router.js" */
/** @import { Store } from "./store.js" */
/** @import { Between, Near, Street, Subject } from "./subject.js" */

/**
 * @typedef {object} ViewerCallbacks
 * @property {(seed: number, by: number) => number} step the next street on the wall, or the previous one
 * @property {(seed: number) => void} favourite
 * @property {(seed: number) => void} choose a second street is to be chosen on the wall
 */

export class Viewer {
  /**
   * @param {Store} store
   * @param {Router} router
   * @param {PictureQueue} queue
   * @param {ViewerCallbacks} callbacks
   */
  constructor(store, router, queue, callbacks) {
    this.store = store;
    this.router = router;
    this.callbacks = callbacks;
    this.dialog = elementOf("viewer", HTMLDialogElement);
    this.stage = element("stage");
    this.image = elementOf("stage-image", HTMLImageElement);
    this.picture = new Picture(queue, this.image);
    this.neighbours = new Neighbours(queue, (subject) => router.open(subject));
    this.morph = new Morph(queue, {
      show: (image) => this.put(image),
      onMoved: (t) => this.withPair((pair) => router.open({ ...pair, t })),
      onError: (error) => this.fail(error),
    });
    this.showLinks = wireLinks();
    this.wireButtons();
    this.wireDialog();
    store.watch(["subject", "pinned", "epoch", "digest"], () => this.show());
    store.watch(["favourites"], () => this.showFavourite());
  }

  wireButtons() {
    /** @type {(id: string, onClick: () => void) => void} */
    const wire = (id, onClick) => element(id).addEventListener("click", onClick);
    /** @param {Subject} subject */
    const open = (subject) => this.router.open(subject);
    wire("viewer-close", () => this.router.close());
    wire("previous", () => this.turn(-1));
    wire("next", () => this.turn(1));
    wire("favourite", () => this.withSeed((seed) => this.callbacks.favourite(seed)));
    wire("morph-choose", () => {
      this.withSeed((seed) => this.callbacks.choose(seed));
      this.withPair(({ a }) => this.callbacks.choose(a));
    });
    wire("morph-random", () => this.withSeed((seed) => open(halfway(seed, randomSeed()))));
    wire("back-to-street", () => this.withSeed((seed) => open(street(seed))));
    wire("morph-a", () => this.withPair(({ a }) => open(street(a))));
    wire("morph-b", () => this.withPair(({ b }) => open(street(b))));
    wire("use-this-model", () => this.store.set({ pinned: null }));
  }

  wireDialog() {
    // Escape changes the address, which closes the dialog.
    const { dialog } = this;
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); this.router.close(); });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) this.router.close(); });
    // The wall behind the dialog does not scroll.
    dialog.addEventListener("wheel", (event) => {
      if (event.target === dialog || dialog.scrollHeight <= dialog.clientHeight) event.preventDefault();
    }, { passive: false });
    dialog.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * Calls `act` if a single street, or a neighbour of one, is open.
   * @param {(seed: number) => void} act
   */
  withSeed(act) {
    const subject = this.store.get("subject");
    if (subject && subject.kind !== "between") act(subject.seed);
  }

  /**
   * Calls `act` if a pair is open.
   * @param {(pair: Between) => void} act
   */
  withPair(act) {
    const subject = this.store.get("subject");
    if (subject?.kind === "between") act(subject);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowLeft") this.turn(-1);
    else if (event.key === "ArrowRight") this.turn(1);
    else if (event.key.toLowerCase() === "f" && this.store.get("subject")?.kind === "street") {
      this.withSeed((seed) => this.callbacks.favourite(seed));
    }
  }

  /** @param {number} by */
  turn(by) {
    const subject = this.store.get("subject");
    if (subject?.kind === "street") this.router.open(street(this.callbacks.step(subject.seed, by)));
    if (subject?.kind !== "near") return;
    const k = ((subject.k - 1 + by + NEIGHBOURS) % NEIGHBOURS) + 1;
    this.router.open(near(subject.seed, k));
  }

  show() {
    const subject = this.store.get("subject");
    if (!subject) {
      this.close();
      return;
    }
    const title = subjectTitle(subject);
    const [shown, linked] = [this.router.shownVersion(), this.router.linkVersion()];
    const isNew = element("viewer-title").textContent !== title || !this.dialog.open;
    element("viewer-title").textContent = title;
    document.title = `${title} · nowhere`;
    this.showParts(subject.kind);
    this.showFavourite();
    this.showLinks(subject, linked);
    this.fail(null);
    if (subject.kind === "between") this.showPair(subject, shown);
    else this.showOne(subject, title, shown, linked);
    if (!this.dialog.open) this.dialog.showModal();
    this.keepFocus();
    if (isNew) announce(title);
  }

  // The control that was pressed may be hidden now: the focus stays in the dialog.
  keepFocus() {
    const focused = document.activeElement;
    if (!this.dialog.contains(focused) || focused?.closest("[hidden]")) element("viewer-title").focus();
  }

  /**
   * Shows the controls that apply to this kind of picture.
   * @param {Subject["kind"]} kind
   */
  showParts(kind) {
    /** @type {(id: string, ...kinds: Subject["kind"][]) => void} */
    const only = (id, ...kinds) => { element(id).hidden = !kinds.includes(kind); };
    only("previous", "street", "near");
    only("next", "street", "near");
    only("favourite", "street");
    only("morph-choose", "street", "between");
    only("morph-random", "street");
    only("back-to-street", "near");
    const choose = kind === "between" ? "Choose another second street" : "Morph into…";
    element("morph-choose").textContent = choose;
  }

  /**
   * @param {Street | Near} subject
   * @param {string} title
   * @param {Version} shown
   * @param {Version} linked
   */
  async showOne(subject, title, shown, linked) {
    this.morph.close();
    this.image.alt = `${title}: a street that does not exist`;
    if (this.stage.firstElementChild !== this.image) this.put(this.image);
    const error = await this.picture.load(pictureUrl(subject, "webp", shown), () => 0);
    if (this.store.get("subject") !== subject) return;
    this.fail(error);
    if (error) this.neighbours.close();
    else this.neighbours.open(subject.seed, subject.kind === "near" ? subject.k : null, shown, linked);
  }

  /**
   * @param {Between} subject
   * @param {Version} shown
   */
  showPair(subject, shown) {
    this.neighbours.close();
    this.picture.cancel();
    this.morph.open(subject, shown);
  }

  /** @param {HTMLImageElement} image */
  put(image) {
    if (image !== this.image) this.withPair((pair) => { image.alt = `${subjectTitle(pair)}, on the way`; });
    image.classList.add("shown");
    this.stage.replaceChildren(image);
  }

  showFavourite() {
    const subject = this.store.get("subject");
    const pressed = subject?.kind === "street" && this.store.get("favourites").includes(subject.seed);
    element("favourite").setAttribute("aria-pressed", String(pressed));
  }

  /** @param {Error | null} error */
  fail(error) {
    element("viewer-trouble").hidden = !error;
    element("viewer-message").textContent = error?.message ?? "";
    element("use-this-model").hidden = !this.store.get("pinned");
  }

  close() {
    if (!this.dialog.open) return;
    this.dialog.close();
    this.morph.close();
    this.neighbours.close();
    this.picture.release();
    document.title = "nowhere";
  }
}
