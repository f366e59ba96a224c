// A run in training, live: its curves, its machine, and the newest pictures of a fixed set of seeds.
import { getRun, gridUrl } from "./api.js";
import { IMAGES, drawChart } from "./chart.js";
import { element, elementOf } from "./dom.js";
import { drawMachine } from "./machine.js";
import { Picture } from "./picture.js";
import { pollWhileVisible } from "./poll.js";
/** @import { Run } from "./api.js" */
/** @import { Chart } from "./chart.js" */
/** @import { PictureQueue } from "./picture_queue.js" */
/** @import { Store } from "./store.js" */

// Seconds between two requests.
const LIVE = 3; // while the curves are shown
const ASIDE = 10; // while another view is shown
const IDLE = 30; // while nothing is training
const GRID_SEEDS = Array.from({ length: 32 }, (_, seed) => seed);
const GRID_COLUMNS = 8;

/** @type {Record<string, Chart>} */
const CHARTS = {
  "chart-losses": {
    title: "Losses",
    curves: [{ key: "D_loss", name: "discriminator" }, { key: "G_loss", name: "generator" }],
  },
  "chart-probabilities": {
    title: "What the discriminator believes",
    curves: [{ key: "D_X", name: "photographs, D(x)" }, { key: "D_G_z1", name: "generated, D(G(z))" }],
  },
  "chart-speed": { title: "Speed", curves: [{ key: "images_per_second", name: "images/s" }], digits: 0 },
};

const grouped = new Intl.NumberFormat("en-GB");

/** @param {Run} run */
function summaryOf(run) {
  const newest = run.points.at(-1);
  if (!newest && run.training) return "Training has begun; there are no statistics yet.";
  if (!newest) return "No run is training here.";
  const images = grouped.format(newest.images);
  return run.training ? `Training now: ${images} images so far.` : `Training is over: ${images} images.`;
}

/**
 * @param {Store} store
 * @param {PictureQueue} queue
 */
export function wireTraining(store, queue) {
  const grid = new Picture(queue, elementOf("newest-grid", HTMLImageElement));
  const link = element("training-link");
  const caption = element("newest-caption");
  const summary = element("training-summary");

  /** @param {Run} run */
  function draw(run) {
    summary.textContent = summaryOf(run);
    for (const [name, chart] of Object.entries(CHARTS)) drawChart(element(name), run.points, IMAGES, chart);
    drawMachine(run.machine);
  }

  function showGrid() {
    const newest = store.get("checkpoints").epochs.at(-1);
    const streets = `Streets 0 to ${GRID_SEEDS.length - 1}`;
    caption.textContent = newest === undefined ? streets : `${streets} after epoch ${newest}`;
    grid.image.alt = `The newest pictures of ${GRID_SEEDS.length} streets that do not exist`;
    grid.load(gridUrl(GRID_SEEDS, "webp", GRID_COLUMNS, { epoch: newest }), () => 1);
  }

  async function ask() {
    const looking = store.get("view") === "training";
    try {
      const run = await getRun();
      store.set({ training: run.training });
      link.hidden = !run.training && run.points.length === 0;
      link.classList.toggle("live", run.training);
      if (looking) {
        draw(run);
        showGrid();
      }
      if (!run.training) return IDLE;
      return looking ? LIVE : ASIDE;
    } catch (error) {
      if (looking && error instanceof Error) summary.textContent = `${error.message} Trying again.`;
      return looking ? LIVE : IDLE;
    }
  }

  const polling = pollWhileVisible(ask);
  store.watch(["view"], () => { if (store.get("view") === "training") polling.wake(); });
  store.watch(["checkpoints"], () => { if (store.get("view") === "training") showGrid(); });
}
