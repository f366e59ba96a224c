// An endless wall of pictures: only the rows around the window exist, and their positions are known
// beforehand.
import { closestTo } from "./dom.js";
import { Tile } from "./tile.js";
import { WallLayout } from "./wall_layout.js";
/** @import { ServerError } from "./request.js" */
/** @import { PictureQueue } from "./picture_queue.js" */

/**
 * What the wall shows where.
 * @typedef {object} Source
 * @property {number} count perhaps Infinity
 * @property {(index: number) => number} seedAt
 * @property {(seed: number) => number} indexOf -1 for a seed that is not on the wall
 */
/**
 * @typedef {object} WallCallbacks
 * @property {(seed: number) => string} urlOf
 * @property {(seed: number) => boolean} isFavourite
 * @property {(seed: number) => void} onOpen
 * @property {(error: ServerError) => void} onError
 */

const SCREENS_AHEAD = 1; // loaded below the window, and half as much above it
const BEHIND_VIEWER = 10; // smaller urgencies belong to what is open over the wall

/** @type {Source} */
const EMPTY = { count: 0, seedAt: () => 0, indexOf: () => -1 };

export class Wall {
  /**
   * @param {HTMLElement} element
   * @param {PictureQueue} queue
   * @param {WallCallbacks} callbacks
   */
  constructor(element, queue, callbacks) {
    this.element = element;
    this.queue = queue;
    this.callbacks = callbacks;
    this.layout = new WallLayout(element);
    /** @type {Map<number, { element: HTMLElement, tiles: Tile[] }>} by row */
    this.rows = new Map();
    this.current = 0;
    this.source = EMPTY;
    this.visible = { first: 0, last: 0 }; // rows
    new ResizeObserver(() => this.resized()).observe(element);
    let scheduled = false;
    addEventListener("scroll", () => {
      if (scheduled) return;
      scheduled = true;
      requestAnimationFrame(() => { scheduled = false; this.update(); });
    }, { passive: true });
    element.addEventListener("focusin", (event) => {
      const link = closestTo(event, "a.tile");
      if (link) this.makeCurrent(Number(link.dataset.index));
    });
    element.addEventListener("click", (event) => this.clicked(event));
  }

  /**
   * Shows another source, scrolled so that `index` is in the first row.
   * @param {Source} source
   */
  show(source, index = 0) {
    this.source = source;
    this.current = index;
    this.rebuild(index);
  }

  // The same seeds, other pictures: each one stays until its successor is loaded. `again` requests the same
  // addresses once more.
  reload({ again = false } = {}) {
    for (const [row, { tiles }] of this.rows) {
      if (again) tiles.forEach((tile) => tile.picture.cancel());
      this.load(row, tiles);
    }
  }

  markFavourites() {
    for (const { tiles } of this.rows.values()) {
      tiles.forEach((tile) => tile.mark(this.callbacks.isFavourite(tile.seed)));
    }
  }

  /**
   * Moves the focus, and scrolls where necessary.
   * @param {number} index
   */
  focus(index) {
    if (this.source.count === 0) return;
    this.current = Math.max(0, Math.min(index, this.layout.lastIndex));
    this.layout.reveal(this.layout.rowOf(this.current));
    this.update();
    this.tileAt(this.current)?.link.focus({ preventScroll: true });
  }

  /** @param {number} index */
  tileAt(index) {
    return this.rows.get(this.layout.rowOf(index))?.tiles[index % this.layout.columns];
  }

  resized() {
    const width = this.element.clientWidth;
    if (width === this.layout.width || width === 0) return;
    this.rebuild(this.layout.above > 0 ? this.layout.firstVisible : 0);
  }

  /** @param {number} index */
  rebuild(index) {
    for (const row of [...this.rows.keys()]) this.removeRow(row);
    this.layout.measure(this.source.count);
    this.layout.scrollToRow(this.layout.rowOf(index));
    this.update();
  }

  update() {
    if (this.element.clientWidth === 0) return;
    this.visible = this.layout.visible;
    const screen = this.visible.last - this.visible.first + 1;
    const first = Math.max(0, this.visible.first - Math.ceil((screen * SCREENS_AHEAD) / 2));
    const last = Math.min(this.layout.lastRow, this.visible.last + screen * SCREENS_AHEAD);
    this.layout.grow(this.visible.last + screen * 3);
    for (const [row, { element }] of [...this.rows]) {
      if ((row < first || row > last) && !element.contains(document.activeElement)) this.removeRow(row);
    }
    for (let row = first; row <= last; row += 1) {
      if (!this.rows.has(row)) this.addRow(row);
    }
    this.makeCurrent(this.tileAt(this.current) ? this.current : this.layout.firstVisible);
  }

  /** @param {number} row */
  addRow(row) {
    const element = document.createElement("div");
    element.className = "row";
    element.setAttribute("role", "row");
    element.setAttribute("aria-rowindex", String(row + 1));
    element.style.transform = `translateY(${row * this.layout.pitch}px)`;
    const tiles = [];
    const begin = row * this.layout.columns;
    for (let index = begin; index < Math.min(begin + this.layout.columns, this.source.count); index += 1) {
      const tile = new Tile(this.queue, this.source.seedAt(index), index, index - begin);
      tile.mark(this.callbacks.isFavourite(tile.seed));
      tiles.push(tile);
    }
    element.append(...tiles.map((tile) => tile.cell));
    // In reading order, whichever way the wall was scrolled.
    const [next] = [...this.rows].filter(([other]) => other > row).sort(([a], [b]) => a - b);
    this.element.insertBefore(element, next ? next[1].element : null);
    this.rows.set(row, { element, tiles });
    this.load(row, tiles);
  }

  /**
   * From the window's first row downwards, then the rows above it.
   * @param {number} row
   * @param {Tile[]} tiles
   */
  load(row, tiles) {
    const urgency = () => {
      const ahead = row - this.visible.first;
      return BEHIND_VIEWER + (ahead >= 0 ? ahead : this.layout.rowsPerScreen - ahead);
    };
    for (const tile of tiles) {
      tile.load(this.callbacks.urlOf(tile.seed), urgency).then((error) => {
        if (error) this.callbacks.onError(error);
      });
    }
  }

  /** @param {number} row */
  removeRow(row) {
    const { element, tiles } = this.rows.get(row) ?? {};
    tiles?.forEach((tile) => tile.remove());
    element?.remove();
    this.rows.delete(row);
  }

  /**
   * A single tile can be reached by Tab; arrow keys do the rest.
   * @param {number} index
   */
  makeCurrent(index) {
    for (const { tiles } of this.rows.values()) tiles.forEach(({ link }) => { link.tabIndex = -1; });
    this.current = index;
    const tile = this.tileAt(index);
    if (tile) tile.link.tabIndex = 0;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const link = closestTo(event, "a.tile");
    // With a key held, the browser opens the permalink in a new tab or window.
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.callbacks.onOpen(this.source.seedAt(Number(link.dataset.index)));
  }
}
