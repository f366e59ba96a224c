// Where a wall's rows stand, and which of them are in the window. All in CSS pixels.

const GAP = 4; // between pictures
const TILE = 156; // what a picture would like to be wide
const LEAST_COLUMNS = 3;
const TALLEST = 12e6; // browsers lay out nothing taller than about 17 million
const HEADROOM = 64; // what the sticky header covers
const FOOTROOM = 72; // what the floating bars cover

export class WallLayout {
  constructor(element) {
    this.element = element;
  }

  // Fits `count` pictures (perhaps Infinity) to the element's width.
  measure(count) {
    this.count = count;
    this.width = this.element.clientWidth;
    this.columns = Math.max(LEAST_COLUMNS, Math.round(this.width / TILE));
    this.pitch = (this.width - GAP * (this.columns - 1)) / this.columns + GAP;
    this.lastRow = Math.ceil(Math.min(count / this.columns, TALLEST / this.pitch)) - 1;
    this.height = 0;
    this.element.style.height = "";
    this.element.style.setProperty("--columns", this.columns);
    this.element.style.setProperty("--gap", `${GAP}px`);
    this.element.setAttribute("aria-colcount", String(this.columns));
    this.element.setAttribute("aria-rowcount", String(Number.isFinite(count) ? this.lastRow + 1 : -1));
  }

  get lastIndex() {
    return Math.min(this.count, (this.lastRow + 1) * this.columns) - 1;
  }

  get rowsPerScreen() {
    return Math.max(1, Math.floor(innerHeight / this.pitch) - 1);
  }

  // How far the wall's upper edge is above the window's.
  get above() {
    return -this.element.getBoundingClientRect().top;
  }

  get visible() {
    const first = Math.max(0, Math.floor(this.above / this.pitch));
    return { first, last: Math.max(first, Math.floor((this.above + innerHeight) / this.pitch)) };
  }

  // The first picture that the header does not cover.
  get firstVisible() {
    const row = Math.max(0, Math.floor((this.above + HEADROOM + 1) / this.pitch));
    return Math.max(0, Math.min(row * this.columns, this.count - 1));
  }

  rowOf(index) {
    return Math.floor(index / this.columns);
  }

  // Room down to this row. The page only ever grows: a scroll bar that shrinks under the finger is a nuisance.
  grow(row) {
    const height = (Math.min(row, this.lastRow) + 1) * this.pitch - GAP;
    if (height <= this.height) return;
    this.height = height;
    this.element.style.height = `${height}px`;
  }

  // Row 0 comes with what stands above the wall.
  scrollToRow(row) {
    this.grow(row + this.rowsPerScreen * 3);
    scrollTo({ top: row === 0 ? 0 : scrollY - this.above + row * this.pitch - HEADROOM, behavior: "instant" });
  }

  // Scrolls only as far as needed.
  reveal(row) {
    this.grow(row + this.rowsPerScreen * 3);
    const top = row * this.pitch - this.above;
    const tooLow = top + this.pitch - (innerHeight - FOOTROOM);
    if (top < HEADROOM) this.scrollToRow(row);
    else if (tooLow > 0) scrollTo({ top: scrollY + tooLow, behavior: "instant" });
  }
}
