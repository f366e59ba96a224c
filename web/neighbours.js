// "More like this": a row of pictures near a street.
import { hashOf } from "./address.js";
import { pictureUrl } from "./api.js";
import { element } from "./dom.js";
import { Picture } from "./picture.js";
import { near, NEIGHBOURS, subjectTitle } from "./subject.js";
/** @import { Version } from "./address.js" */
/** @import { PictureQueue } from "./picture_queue.js" */
/** @import { Near } from "./subject.js" */

const URGENCY = 1; // after the picture itself

export class Neighbours {
  /**
   * @param {PictureQueue} queue
   * @param {(subject: Near) => void} onOpen
   */
  constructor(queue, onOpen) {
    this.section = element("near");
    /** @type {number | null} */
    this.seed = null;
    this.onOpen = onOpen;
    this.links = Array.from({ length: NEIGHBOURS }, (_, index) => this.makeLink(queue, index + 1));
    element("near-list").append(...this.links.map(({ link }) => {
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
  }

  /**
   * @param {PictureQueue} queue
   * @param {number} k
   */
  makeLink(queue, k) {
    const link = document.createElement("a");
    const image = document.createElement("img");
    link.className = "tile";
    image.alt = "";
    image.decoding = "async";
    link.append(image);
    link.addEventListener("click", (event) => {
      if (this.seed === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.onOpen(near(this.seed, k));
    });
    return { k, link, picture: new Picture(queue, image) };
  }

  /**
   * @param {number} seed
   * @param {number | null} current the neighbour that is open, if one is
   * @param {Version} shownVersion
   * @param {Version} linkVersion
   */
  open(seed, current, shownVersion, linkVersion) {
    if (seed !== this.seed) this.close();
    this.section.hidden = false;
    this.seed = seed;
    for (const { k, link, picture } of this.links) {
      const subject = near(seed, k);
      link.href = hashOf(subject, linkVersion);
      link.setAttribute("aria-label", subjectTitle(subject));
      if (k === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      picture.load(pictureUrl(subject, "webp", shownVersion), () => URGENCY);
    }
  }

  close() {
    this.section.hidden = true;
    this.seed = null;
    this.links.forEach(({ picture }) => picture.release());
  }
}
