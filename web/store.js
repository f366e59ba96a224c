// The page's state in one place: plain values, and functions to call when one of them changes.
/** @import { Checkpoints } from "./api.js" */
/** @import { View } from "./address.js" */
/** @import { Subject } from "./subject.js" */

/**
 * @typedef {object} State
 * @property {number} from the seed where the wall starts
 * @property {number | null} epoch whose pictures are shown; null for those of the current model
 * @property {number[]} favourites seeds, in the order in which they were chosen
 * @property {View} view
 * @property {Subject | null} subject what is open over the view
 * @property {string | null} pinned the digest in a permalink, if it is not that of the current model
 * @property {string | null} digest of the current model; null until it is known
 * @property {boolean} following whether the server takes newer models of a run by itself
 * @property {Checkpoints} checkpoints
 * @property {boolean} training
 */
/** @typedef {ReturnType<typeof createStore>} Store */

/** @param {State} values */
export function createStore(values) {
  /** @type {{ names: (keyof State)[], onChange: () => void }[]} */
  const watchers = [];
  return {
    /**
     * @template {keyof State} K
     * @param {K} name
     * @returns {State[K]}
     */
    get: (name) => values[name],

    /** @param {Partial<State>} changes */
    set(changes) {
      const names = /** @type {(keyof State)[]} */ (Object.keys(changes));
      const changed = names.filter((name) => !Object.is(values[name], changes[name]));
      Object.assign(values, changes);
      for (const watcher of watchers) {
        if (watcher.names.some((name) => changed.includes(name))) watcher.onChange();
      }
    },

    /**
     * @param {(keyof State)[]} names
     * @param {() => void} onChange
     */
    watch(names, onChange) {
      watchers.push({ names, onChange });
    },
  };
}
