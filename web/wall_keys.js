// The wall from the keyboard: arrows, Home and End in a row, with Ctrl on the whole wall, Page Up and Down, F.

export function wireWallKeys(wall, onFavourite) {
  const moves = {
    ArrowLeft: (index) => index - 1,
    ArrowRight: (index) => index + 1,
    ArrowUp: (index) => (index >= wall.layout.columns ? index - wall.layout.columns : index),
    ArrowDown: (index) => (index + wall.layout.columns < wall.source.count ? index + wall.layout.columns : index),
    Home: (index, ctrl) => (ctrl ? 0 : index - (index % wall.layout.columns)),
    End: (index, ctrl) => (ctrl && Number.isFinite(wall.source.count)
      ? wall.source.count - 1
      : index - (index % wall.layout.columns) + wall.layout.columns - 1),
    PageUp: (index) => index - Math.min(wall.layout.rowsPerScreen, wall.layout.rowOf(index)) * wall.layout.columns,
    PageDown: (index) => index + wall.layout.rowsPerScreen * wall.layout.columns,
  };

  wall.element.addEventListener("keydown", (event) => {
    const link = event.target.closest("a.tile");
    if (!link || event.altKey || event.metaKey) return;
    const index = Number(link.dataset.index);
    if (moves[event.key]) {
      event.preventDefault();
      wall.focus(moves[event.key](index, event.ctrlKey));
    } else if (event.key.toLowerCase() === "f" && !event.ctrlKey) {
      event.preventDefault();
      onFavourite(wall.source.seedAt(index));
    }
  });
}
