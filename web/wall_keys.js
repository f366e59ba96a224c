// The wall from the keyboard: arrows, Home and End within a row, with Ctrl on the whole wall, Page Up and
// Down, F.
import { closestTo } from "./dom.js";
/** @import { Wall } from "./wall.js" */

/**
 * @param {Wall} wall
 * @param {(seed: number) => void} onFavourite
 */
export function wireWallKeys(wall, onFavourite) {
  const { layout } = wall;
  /** @type {Record<string, (index: number, ctrl: boolean) => number>} */
  const moves = {
    ArrowLeft: (index) => index - 1,
    ArrowRight: (index) => index + 1,
    ArrowUp: (index) => (index >= layout.columns ? index - layout.columns : index),
    ArrowDown: (index) => (index + layout.columns < wall.source.count ? index + layout.columns : index),
    Home: (index, ctrl) => (ctrl ? 0 : index - (index % layout.columns)),
    End: (index, ctrl) => (ctrl && Number.isFinite(wall.source.count)
      ? wall.source.count - 1
      : index - (index % layout.columns) + layout.columns - 1),
    PageUp: (index) => index - Math.min(layout.rowsPerScreen, layout.rowOf(index)) * layout.columns,
    PageDown: (index) => index + layout.rowsPerScreen * layout.columns,
  };

  wall.element.addEventListener("keydown", (event) => {
    const link = closestTo(event, "a.tile");
    if (!link || event.altKey || event.metaKey) return;
    const index = Number(link.dataset.index);
    if (event.key in moves) {
      event.preventDefault();
      wall.focus(moves[event.key](index, event.ctrlKey));
    } else if (event.key.toLowerCase() === "f" && !event.ctrlKey) {
      event.preventDefault();
      onFavourite(wall.source.seedAt(index));
    }
  });
}
