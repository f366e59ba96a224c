// The limits of the API, as the server states them. The gallery starts once they are known: addresses are
// read with them.
import { element } from "./dom.js";
import { getJson } from "./request.js";

/**
 * @typedef {object} Limits
 * @property {number} max_grid_pictures
 * @property {number} max_morph_seeds
 * @property {number} max_morph_frames in total
 * @property {number} max_neighbours of a street
 * @property {number} arc_steps from one street to another
 * @property {number} min_digest_digits
 * @property {number} max_digest_digits
 */

const PAUSE = 1000; // milliseconds

/** @returns {Promise<Limits>} */
async function askUntilAnswered() {
  const box = element("status");
  for (;;) {
    try {
      const limits = await getJson("/v1/limits");
      box.hidden = true;
      return limits;
    } catch (error) {
      box.hidden = false;
      element("status-title").textContent = error instanceof Error ? error.message : String(error);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

export const limits = await askUntilAnswered();
