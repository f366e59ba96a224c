// A run that is training, live: its curves and the newest pictures of the same few seeds.
import { getRun, gridUrl } from "./api.js";
import { drawChart } from "./chart.js";
import { Picture } from "./picture.js";
import { pollWhileVisible } from "./poll.js";

const LIVE = 3; // seconds between questions while one looks at the curves
const ASIDE = 10; // while one looks at something else
const IDLE = 30; // while nothing is training
const GRID_SEEDS = Array.from({ length: 32 }, (_, seed) => seed);
const GRID_COLUMNS = 8;

const CHARTS = {
  "chart-losses": {
    title: "Losses",
    curves: [{ key: "D_loss", name: "discriminator" }, { key: "G_loss", name: "generator" }],
  },
  "chart-probabilities": {
    title: "What the discriminator believes",
    curves: [{ key: "D_X", name: "photographs, D(x)" }, { key: "D_G_z1", name: "made up, D(G(z))" }],
  },
  "chart-speed": { title: "Speed", curves: [{ key: "images_per_second", name: "images/s" }], digits: 0 },
};

const grouped = new Intl.NumberFormat("en-GB");

function summaryOf(run) {
  const newest = run.points.at(-1);
  if (!newest && run.training) return "Training has begun; the first figures are on their way.";
  if (!newest) return "No run is training here.";
  const images = grouped.format(newest.images);
  return run.training ? `Training now: ${images} images so far.` : `Training is over: ${images} images.`;
}

export function wireTraining(store, queue) {
  const grid = new Picture(queue, document.getElementById("newest-grid"));
  const link = document.getElementById("training-link");
  const caption = document.getElementById("newest-caption");

  function draw(run) {
    document.getElementById("training-summary").textContent = summaryOf(run);
    for (const [name, chart] of Object.entries(CHARTS)) drawChart(document.getElementById(name), run.points, chart);
  }

  function showGrid() {
    const newest = store.get("checkpoints").epochs.at(-1);
    caption.textContent = newest === undefined ? "Streets 0 to 31" : `Streets 0 to 31 after epoch ${newest}`;
    grid.image.alt = `The newest pictures of ${GRID_SEEDS.length} streets that do not exist`;
    grid.load(gridUrl(GRID_SEEDS, "webp", GRID_COLUMNS, newest === undefined ? {} : { epoch: newest }), () => 1);
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
      return run.training ? (looking ? LIVE : ASIDE) : IDLE;
    } catch (error) {
      if (looking) document.getElementById("training-summary").textContent = `${error.message} Trying again.`;
      return looking ? LIVE : IDLE;
    }
  }

  const polling = pollWhileVisible(ask);
  store.watch(["view"], () => { if (store.get("view") === "training") polling.wake(); });
  store.watch(["checkpoints"], () => { if (store.get("view") === "training") showGrid(); });
}
