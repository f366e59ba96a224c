// The positions of the wall's rows, and which of them are in the window. All in CSS pixels.

const GAP = 4; // between pictures
const TILE = 156; // preferred width of a picture
const MIN_COLUMNS = 3;
const MAX_HEIGHT = 12e6; // browsers lay out nothing taller than about 17 million
const HEADER = 64; // covered by the sticky header
const FOOTER = 72; // covered by the floating bars

export class WallLayout {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.count = 0; // pictures, perhaps Infinity
    this.width = 0;
    this.columns = MIN_COLUMNS;
    this.pitch = TILE + GAP; // from one row to the next
    this.lastRow = -1;
    this.height = 0;
  }

  /**
   * Fits `count` pictures (perhaps Infinity) to the element's width.
   * @param {number} count
   */
  measure(count) {
    this.count = count;
    this.width = this.element.clientWidth;
    this.columns = Math.max(MIN_COLUMNS, Math.round(this.width / TILE));
    this.pitch = (this.width - GAP * (this.columns - 1)) / this.columns + GAP;
    this.lastRow = Math.ceil(Math.min(count / this.columns, MAX_HEIGHT / this.pitch)) - 1;
    this.height = 0;
    this.element.style.height = "";
    this.element.style.setProperty("--columns", String(this.columns));
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
    const row = Math.max(0, Math.floor((this.above + HEADER + 1) / this.pitch));
    return Math.max(0, Math.min(row * this.columns, this.count - 1));
  }

  /** @param {number} index */
  rowOf(index) {
    return Math.floor(index / this.columns);
  }

  /**
   * Makes room down to this row. The page only ever grows: a scroll bar that shrinks while it is dragged is a
   * nuisance.
   * @param {number} row
   */
  grow(row) {
    const height = (Math.min(row, this.lastRow) + 1) * this.pitch - GAP;
    if (height <= this.height) return;
    this.height = height;
    this.element.style.height = `${height}px`;
  }

  /**
   * Row 0 is shown together with what stands above the wall.
   * @param {number} row
   */
  scrollToRow(row) {
    this.grow(row + this.rowsPerScreen * 3);
    scrollTo({ top: row === 0 ? 0 : scrollY - this.above + row * this.pitch - HEADER, behavior: "instant" });
  }

  /**
   * Scrolls only as far as needed.
   * @param {number} row
   */
  reveal(row) {
    this.grow(row + this.rowsPerScreen * 3);
    const top = row * this.pitch - this.above;
    const tooLow = top + this.pitch - (innerHeight - FOOTER);
    if (top < HEADER) this.scrollToRow(row);
    else if (tooLow > 0) scrollTo({ top: scrollY + tooLow, behavior: "instant" });
  }
}
