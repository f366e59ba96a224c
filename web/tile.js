// One picture on the wall: a link in a grid cell, a box of fixed shape into which the picture fades.
import { hashOf } from "./address.js";
import { Picture } from "./picture.js";
import { street } from "./subject.js";
/** @import { PictureQueue } from "./picture_queue.js" */

export class Tile {
  /**
   * @param {PictureQueue} queue
   * @param {number} seed
   * @param {number} index on the wall
   * @param {number} column
   */
  constructor(queue, seed, index, column) {
    this.seed = seed;
    this.cell = document.createElement("div");
    this.cell.setAttribute("role", "gridcell");
    this.cell.setAttribute("aria-colindex", String(column + 1));
    this.link = document.createElement("a");
    this.link.className = "tile";
    this.link.href = hashOf(street(seed));
    this.link.dataset.index = String(index);
    this.link.tabIndex = -1;
    const image = document.createElement("img");
    image.alt = "";
    image.decoding = "async";
    image.draggable = false;
    this.link.append(image);
    this.cell.append(this.link);
    this.picture = new Picture(queue, image);
  }

  /** @param {boolean} favourite */
  mark(favourite) {
    this.link.classList.toggle("favourite", favourite);
    this.link.setAttribute("aria-label", `Street ${this.seed}${favourite ? ", a favourite" : ""}`);
  }

  /**
   * @param {string} url
   * @param {() => number} urgency
   */
  load(url, urgency) {
    return this.picture.load(url, urgency);
  }

  remove() {
    this.picture.release();
  }
}
