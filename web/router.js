// Between the address bar and the state: what is open, over which view, and of which model.
import { hashOf, hashOfView, readHash, shortDigest, writeQuery } from "./address.js";

export function createRouter(store) {
  // What links that are handed on name: an epoch chosen in time, the model that a permalink named, or the one
  // being served.
  function linkVersion() {
    if (store.get("epoch") !== null) return { epoch: store.get("epoch") };
    const model = store.get("pinned") ?? store.get("digest");
    return model ? { model: shortDigest(model) } : {};
  }

  // Whose pictures hang on the wall. Where the model changes as training goes on, it is whichever is there when asked.
  function wallVersion() {
    if (store.get("epoch") !== null) return { epoch: store.get("epoch") };
    const fixed = store.get("digest") && !store.get("following");
    return fixed ? { model: shortDigest(store.get("digest")) } : {};
  }

  // What is open is of the wall's model, but for a permalink to another one.
  function shownVersion() {
    return store.get("epoch") === null && store.get("pinned") ? { model: store.get("pinned") } : wallVersion();
  }

  function route() {
    const { view, subject, version } = readHash();
    const digest = store.get("digest");
    const changes = { subject, pinned: null };
    if (!subject) changes.view = view;
    else if (version.epoch !== undefined) changes.epoch = version.epoch;
    else if (version.model) {
      changes.epoch = null;
      if (!digest?.startsWith(version.model)) changes.pinned = version.model;
    }
    store.set(changes);
    writeAddress();
  }

  // The wall's entry in the history remembers where one was; a subject's entry lies over it.
  function writeAddress() {
    const subject = store.get("subject");
    if (subject) history.replaceState(history.state, "", hashOf(subject, linkVersion()));
    writeQuery({ from: store.get("from"), epoch: store.get("epoch"), favourites: store.get("favourites") });
  }

  function open(subject) {
    if (!store.get("subject")) history.pushState({ ...history.state, over: true }, "");
    store.set({ subject });
    writeAddress();
  }

  function close() {
    if (history.state?.over) history.back();
    else {
      history.replaceState(history.state, "", hashOfView(store.get("view")));
      route();
    }
  }

  function go(view) {
    history.pushState({}, "", hashOfView(view));
    route();
  }

  addEventListener("popstate", route);
  store.watch(["from", "epoch", "favourites", "pinned"], writeAddress);
  store.watch(["digest"], () => {
    const pinned = store.get("pinned");
    if (pinned && store.get("digest")?.startsWith(pinned)) store.set({ pinned: null });
    writeAddress();
  });
  return { route, open, close, go, wallVersion, shownVersion, linkVersion };
}
