// One picture large, in a dialog: what it is, where one can go from it, what can be done with it.
import { announce } from "./announce.js";
import { pictureUrl } from "./api.js";
import { Morph } from "./morph.js";
import { Neighbours } from "./neighbours.js";
import { Picture } from "./picture.js";
import { between, near, NEIGHBOURS, randomSeed, street, subjectTitle } from "./subject.js";
import { wireLinks } from "./viewer_links.js";

const element = (name) => document.getElementById(name);

export class Viewer {
  // `on` is told favourite(seed) and choose(seed): a second street is to be chosen on the wall.
  // `step(seed, by)` is the next street on the wall, or the one before.
  constructor(store, router, queue, { step, favourite, choose }) {
    Object.assign(this, { store, router, step });
    this.dialog = element("viewer");
    this.stage = element("stage");
    this.image = element("stage-image");
    this.picture = new Picture(queue, this.image);
    this.neighbours = new Neighbours(queue, (subject) => router.open(subject));
    this.morph = new Morph(queue, {
      show: (image) => this.put(image),
      onMoved: (t) => router.open({ ...store.get("subject"), t }),
      onError: (error) => this.fail(error),
    });
    this.showLinks = wireLinks();
    this.wireButtons(favourite, choose);
    store.watch(["subject", "pinned", "epoch", "digest"], () => this.show());
    store.watch(["favourites"], () => this.showFavourite());
  }

  wireButtons(favourite, choose) {
    const open = (subject) => this.router.open(subject);
    const subject = () => this.store.get("subject");
    element("viewer-close").addEventListener("click", () => this.router.close());
    element("previous").addEventListener("click", () => this.turn(-1));
    element("next").addEventListener("click", () => this.turn(1));
    element("favourite").addEventListener("click", () => favourite(subject().seed));
    element("morph-choose").addEventListener("click", () => choose(subject().seed ?? subject().a));
    element("morph-random").addEventListener("click", () => open(between(subject().seed, randomSeed(), 500)));
    element("back-to-street").addEventListener("click", () => open(street(subject().seed)));
    element("morph-a").addEventListener("click", () => open(street(subject().a)));
    element("morph-b").addEventListener("click", () => open(street(subject().b)));
    element("use-this-model").addEventListener("click", () => this.store.set({ pinned: null }));
    // Escape: the address is changed, and that closes the dialog.
    this.dialog.addEventListener("cancel", (event) => { event.preventDefault(); this.router.close(); });
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.router.close(); });
    // The wall behind stays where it is.
    this.dialog.addEventListener("wheel", (event) => {
      if (event.target === this.dialog || this.dialog.scrollHeight <= this.dialog.clientHeight) event.preventDefault();
    }, { passive: false });
    this.dialog.addEventListener("keydown", (event) => this.key(event, favourite));
  }

  key(event, favourite) {
    if (event.target.matches("input") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowLeft") this.turn(-1);
    else if (event.key === "ArrowRight") this.turn(1);
    else if (event.key.toLowerCase() === "f" && this.store.get("subject").kind === "street") {
      favourite(this.store.get("subject").seed);
    }
  }

  turn(by) {
    const subject = this.store.get("subject");
    if (subject.kind === "street") this.router.open(street(this.step(subject.seed, by)));
    if (subject.kind !== "near") return;
    const k = ((subject.k - 1 + by + NEIGHBOURS) % NEIGHBOURS) + 1;
    this.router.open(near(subject.seed, k));
  }

  show() {
    const subject = this.store.get("subject");
    if (!subject) return this.close();
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

  // The control that was pressed may be hidden now: the keyboard stays in the dialog.
  keepFocus() {
    const focused = document.activeElement;
    if (!this.dialog.contains(focused) || focused.closest("[hidden]")) element("viewer-title").focus();
  }

  // What makes sense for which kind of picture.
  showParts(kind) {
    const only = (name, ...kinds) => { element(name).hidden = !kinds.includes(kind); };
    only("previous", "street", "near");
    only("next", "street", "near");
    only("favourite", "street");
    only("morph-choose", "street", "between");
    only("morph-random", "street");
    only("back-to-street", "near");
    element("morph-choose").textContent = kind === "between" ? "Choose another second street" : "Morph into…";
  }

  async showOne(subject, title, shown, linked) {
    this.morph.close();
    this.image.alt = `${title}: a street that does not exist`;
    if (this.stage.firstElementChild !== this.image) this.put(this.image);
    const error = await this.picture.load(pictureUrl(subject, "webp", shown), () => 0);
    if (this.store.get("subject") !== subject) return;
    this.fail(error);
    if (error) this.neighbours.close();
    else this.neighbours.open(subject.seed, subject.k ?? null, shown, linked);
  }

  showPair(subject, shown) {
    this.neighbours.close();
    this.picture.cancel();
    this.morph.open(subject, shown);
  }

  put(image) {
    if (image !== this.image) image.alt = `${subjectTitle(this.store.get("subject"))}, on the way`;
    image.classList.add("shown");
    this.stage.replaceChildren(image);
  }

  showFavourite() {
    const pressed = this.store.get("favourites").includes(this.store.get("subject")?.seed);
    element("favourite").setAttribute("aria-pressed", String(pressed));
  }

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
