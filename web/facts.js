// The model's facts under the name, kept up to date: a server that follows a run changes its model as it goes.
import { getCheckpoints, getModel } from "./api.js";
import { pollWhileVisible } from "./poll.js";

const SOON = 2; // seconds, while there is no answer or no model yet
const FOLLOWING = 5;
const SELDOM = 60;

const grouped = new Intl.NumberFormat("en-GB");
const rounded = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

function factsOf(model) {
  const facts = [
    model.name && ["model", model.name],
    model.size && ["pictures", `${model.size} × ${model.size}`],
    model.epoch && ["epoch", grouped.format(model.epoch)],
    model.parameters && ["parameters", rounded.format(model.parameters)],
    model.images_seen && ["photographs seen", rounded.format(model.images_seen)],
    model.trained_on && ["trained on", model.trained_on],
  ];
  return facts.filter(Boolean);
}

function show(model) {
  const list = document.getElementById("facts");
  list.replaceChildren(...factsOf(model).map(([name, value]) => {
    const group = document.createElement("div");
    const term = document.createElement("dt");
    const definition = document.createElement("dd");
    term.textContent = name;
    definition.textContent = value;
    group.append(term, definition);
    return group;
  }));
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export async function refreshFacts(store) {
  const model = await getModel();
  if (!model.ready) return model;
  show(model);
  store.set({ digest: model.digest, following: model.following });
  const { epochs, current } = await getCheckpoints();
  if (!same({ epochs, current }, store.get("checkpoints"))) store.set({ checkpoints: { epochs, current } });
  return model;
}

// `onAsked` after every question, answered or not.
export function keepFacts(store, onAsked) {
  pollWhileVisible(async () => {
    try {
      const model = await refreshFacts(store);
      if (!model.ready) return SOON;
      return model.following || store.get("training") ? FOLLOWING : SELDOM;
    } catch {
      return SOON; // the queue of pictures says what is wrong
    } finally {
      onAsked();
    }
  });
}
