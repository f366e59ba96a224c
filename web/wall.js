// A wall of pictures that never ends: only the rows around the window exist, each in a place known beforehand.
// A source says what hangs where: {count, seedAt(index), indexOf(seed)}; its count may be Infinity.
import { Tile } from "./tile.js";
import { WallLayout } from "./wall_layout.js";

const SCREENS_AHEAD = 1; // loaded below the window; half of it above
const BEHIND_VIEWER = 10; // urgencies below are for what lies over the wall

export class Wall {
  // `of` answers for a seed: urlOf(seed), isFavourite(seed); it is told onOpen(seed) and onError(error).
  constructor(element, queue, of) {
    this.element = element;
    this.queue = queue;
    this.of = of;
    this.layout = new WallLayout(element);
    this.rows = new Map();
    this.current = 0;
    this.source = { count: 0 };
    new ResizeObserver(() => this.resized()).observe(element);
    let scheduled = false;
    addEventListener("scroll", () => {
      if (scheduled) return;
      scheduled = true;
      requestAnimationFrame(() => { scheduled = false; this.update(); });
    }, { passive: true });
    element.addEventListener("focusin", (event) => this.makeCurrent(Number(event.target.dataset.index)));
    element.addEventListener("click", (event) => this.clicked(event));
  }

  // Hangs another source, scrolled so that `index` is in the first row.
  show(source, index = 0) {
    this.source = source;
    this.current = index;
    this.rebuild(index);
  }

  // The same seeds, other pictures: each stays until its successor is there. `again` fetches the same addresses anew.
  reload({ again = false } = {}) {
    for (const [row, { tiles }] of this.rows) {
      if (again) tiles.forEach((tile) => tile.picture.cancel());
      this.load(row, tiles);
    }
  }

  remark() {
    for (const { tiles } of this.rows.values()) tiles.forEach((tile) => tile.mark(this.of.isFavourite(tile.seed)));
  }

  // Moves the focus, and the window where need be.
  focus(index) {
    if (this.source.count === 0) return;
    this.current = Math.max(0, Math.min(index, this.layout.lastIndex));
    this.layout.reveal(this.layout.rowOf(this.current));
    this.update();
    this.tileAt(this.current)?.link.focus({ preventScroll: true });
  }

  tileAt(index) {
    return this.rows.get(this.layout.rowOf(index))?.tiles[index % this.layout.columns];
  }

  resized() {
    const width = this.element.clientWidth;
    if (width === this.layout.width || width === 0) return;
    this.rebuild(this.layout.above > 0 ? this.layout.firstVisible : 0);
  }

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
      tile.mark(this.of.isFavourite(tile.seed));
      tiles.push(tile);
    }
    element.append(...tiles.map((tile) => tile.cell));
    // In reading order, wherever the scrolling came from.
    const next = [...this.rows.keys()].filter((other) => other > row).sort((a, b) => a - b)[0];
    this.element.insertBefore(element, this.rows.get(next)?.element ?? null);
    this.rows.set(row, { element, tiles });
    this.load(row, tiles);
  }

  // From the window's first row downwards, then what is above it.
  load(row, tiles) {
    const urgency = () => {
      const ahead = row - this.visible.first;
      return BEHIND_VIEWER + (ahead >= 0 ? ahead : this.layout.rowsPerScreen - ahead);
    };
    for (const tile of tiles) {
      tile.load(this.of.urlOf(tile.seed), urgency).then((error) => error && this.of.onError(error));
    }
  }

  removeRow(row) {
    const { element, tiles } = this.rows.get(row);
    tiles.forEach((tile) => tile.remove());
    element.remove();
    this.rows.delete(row);
  }

  // One tile of all is reached by Tab; arrow keys do the rest.
  makeCurrent(index) {
    if (!Number.isInteger(index)) return;
    for (const link of this.element.querySelectorAll('a[tabindex="0"]')) link.tabIndex = -1;
    this.current = index;
    const tile = this.tileAt(index);
    if (tile) tile.link.tabIndex = 0;
  }

  clicked(event) {
    const link = event.target.closest("a.tile");
    // With a key held, the browser opens the permalink in a tab or window of its own.
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.of.onOpen(this.source.seedAt(Number(link.dataset.index)));
  }
}
