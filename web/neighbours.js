// "More like this": a row of pictures that lie near a street.
import { hashOf } from "./address.js";
import { pictureUrl } from "./api.js";
import { Picture } from "./picture.js";
import { near, NEIGHBOURS, subjectTitle } from "./subject.js";

const URGENCY = 1; // after the picture itself

export class Neighbours {
  constructor(queue, onOpen) {
    this.section = document.getElementById("near");
    this.links = Array.from({ length: NEIGHBOURS }, (_, index) => this.makeLink(index + 1, onOpen));
    this.pictures = this.links.map((link) => new Picture(queue, link.firstChild));
    document.getElementById("near-list").append(...this.links.map((link) => {
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
  }

  makeLink(k, onOpen) {
    const link = document.createElement("a");
    const image = document.createElement("img");
    link.className = "tile";
    image.alt = "";
    image.decoding = "async";
    link.append(image);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onOpen(near(this.seed, k));
    });
    return link;
  }

  // `k` is the one that is open, or null.
  open(seed, k, shownVersion, linkVersion) {
    this.section.hidden = false;
    if (seed !== this.seed) this.close();
    this.section.hidden = false;
    this.seed = seed;
    this.links.forEach((link, index) => {
      const subject = near(seed, index + 1);
      link.href = hashOf(subject, linkVersion);
      link.setAttribute("aria-label", subjectTitle(subject));
      if (index + 1 === k) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      this.pictures[index].load(pictureUrl(subject, "webp", shownVersion), () => URGENCY);
    });
  }

  close() {
    this.section.hidden = true;
    this.seed = null;
    this.pictures.forEach((picture) => picture.release());
  }
}
