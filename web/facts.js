// The facts about the model, kept up to date: a server that follows a run changes its model as training goes
// on.
import { getCheckpoints, getModel } from "./api.js";
import { element } from "./dom.js";
import { pollWhileVisible } from "./poll.js";
/** @import { Model } from "./api.js" */
/** @import { Store } from "./store.js" */

// Seconds between two requests.
const NOT_READY = 2; // without a response or a model
const FOLLOWING = 5;
const IDLE = 60;

const grouped = new Intl.NumberFormat("en-GB");
const rounded = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/**
 * Names and values; those that are unknown are left out.
 * @param {Model} model
 */
function factsOf(model) {
  /** @type {[string, string][]} */
  const facts = [];
  if (model.name) facts.push(["model", model.name]);
  if (model.size) facts.push(["pictures", `${model.size} × ${model.size}`]);
  if (model.epoch) facts.push(["epoch", grouped.format(model.epoch)]);
  if (model.parameters) facts.push(["parameters", rounded.format(model.parameters)]);
  if (model.images_seen) facts.push(["photographs seen", rounded.format(model.images_seen)]);
  if (model.trained_on) facts.push(["trained on", model.trained_on]);
  return facts;
}

/** @param {Model} model */
function show(model) {
  element("facts").replaceChildren(...factsOf(model).map(([name, value]) => {
    const group = document.createElement("div");
    const term = document.createElement("dt");
    const definition = document.createElement("dd");
    term.textContent = name;
    definition.textContent = value;
    group.append(term, definition);
    return group;
  }));
}

/** @type {(a: unknown, b: unknown) => boolean} */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** @param {Store} store */
export async function refreshFacts(store) {
  const model = await getModel();
  if (!model.ready) return model;
  show(model);
  store.set({ digest: model.digest, following: model.following });
  const { epochs, current } = await getCheckpoints();
  if (!same({ epochs, current }, store.get("checkpoints"))) store.set({ checkpoints: { epochs, current } });
  return model;
}

/**
 * @param {Store} store
 * @param {() => void} onAsked called after every request, whether it was answered or not
 */
export function keepFacts(store, onAsked) {
  pollWhileVisible(async () => {
    try {
      const model = await refreshFacts(store);
      if (!model.ready) return NOT_READY;
      return model.following || store.get("training") ? FOLLOWING : IDLE;
    } catch {
      return NOT_READY; // the picture queue reports what is wrong
    } finally {
      onAsked();
    }
  });
}
