// A slider over the saved epochs. Its right end is the current model, which is epoch null in the state.
/** @import { Checkpoints } from "./api.js" */
/** @import { Store } from "./store.js" */

/**
 * @param {Checkpoints} checkpoints
 * @returns {(number | null)[]}
 */
function positionsOf({ epochs, current }) {
  const positions = epochs.map((epoch) => (epoch === current ? null : epoch));
  return positions.includes(null) ? positions : [...positions, null];
}

/**
 * Fills `container` with the slider; hidden while there is only one epoch.
 * @param {HTMLElement} container
 * @param {Store} store
 */
export function wireTimeSlider(container, store) {
  const label = document.createElement("label");
  const range = document.createElement("input");
  const output = document.createElement("output");
  range.type = "range";
  range.min = "0";
  range.id = `${container.id}-range`;
  label.htmlFor = range.id;
  label.textContent = "Training time";
  output.htmlFor.add(range.id);
  container.append(label, range, output);

  const positions = () => positionsOf(store.get("checkpoints"));
  /** @param {number | null} epoch */
  const nameOf = (epoch) => (epoch === null ? "newest" : `epoch ${epoch}`);

  function show() {
    const places = positions();
    const epoch = store.get("epoch");
    container.hidden = places.length < 2;
    range.max = String(places.length - 1);
    range.value = String(places.includes(epoch) ? places.indexOf(epoch) : places.length - 1);
    range.setAttribute("aria-valuetext", nameOf(epoch));
    output.textContent = nameOf(epoch);
  }

  range.addEventListener("input", () => store.set({ epoch: positions()[Number(range.value)] }));
  store.watch(["epoch", "checkpoints"], show);
  show();
}

/**
 * An epoch in the address that is not saved, or no longer, would show nothing: back to the newest.
 * @param {Store} store
 * @param {(words: string) => void} say
 */
export function dropUnknownEpoch(store, say) {
  const epoch = store.get("epoch");
  if (epoch === null || positionsOf(store.get("checkpoints")).includes(epoch)) return;
  const isNewest = epoch === store.get("checkpoints").current;
  if (!isNewest) say(`Epoch ${epoch} is not saved here; these are the newest pictures.`);
  store.set({ epoch: null });
}
