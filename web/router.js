// Between the address bar and the state: what is open, over which view, and of which model.
import { hashOf, hashOfView, readHash, shortDigest, writeQuery } from "./address.js";
/** @import { Version, View } from "./address.js" */
/** @import { State, Store } from "./store.js" */
/** @import { Subject } from "./subject.js" */

/** @typedef {ReturnType<typeof createRouter>} Router */

/** @param {Store} store */
export function createRouter(store) {
  /**
   * The version that shared links name: the chosen epoch, the model of a permalink, or the current model.
   * @returns {Version}
   */
  function linkVersion() {
    const epoch = store.get("epoch");
    if (epoch !== null) return { epoch };
    const model = store.get("pinned") ?? store.get("digest");
    return model ? { model: shortDigest(model) } : {};
  }

  /**
   * The version of the pictures on the wall. While the model changes as training goes on, none is named.
   * @returns {Version}
   */
  function wallVersion() {
    const epoch = store.get("epoch");
    if (epoch !== null) return { epoch };
    const digest = store.get("digest");
    return digest && !store.get("following") ? { model: shortDigest(digest) } : {};
  }

  /**
   * The version of the open picture: the wall's, unless a permalink names another model.
   * @returns {Version}
   */
  function shownVersion() {
    const pinned = store.get("pinned");
    return store.get("epoch") === null && pinned ? { model: pinned } : wallVersion();
  }

  function route() {
    const { view, subject, version } = readHash();
    /** @type {Partial<State>} */
    const changes = { subject, pinned: null };
    if (!subject) changes.view = view;
    else if (version.epoch !== undefined) changes.epoch = version.epoch;
    else if (version.model) {
      changes.epoch = null;
      if (!store.get("digest")?.startsWith(version.model)) changes.pinned = version.model;
    }
    store.set(changes);
    writeAddress();
  }

  // The wall's entry in the history remembers its scroll position; a subject's entry lies on top of it.
  function writeAddress() {
    const subject = store.get("subject");
    if (subject) history.replaceState(history.state, "", hashOf(subject, linkVersion()));
    writeQuery({ from: store.get("from"), epoch: store.get("epoch"), favourites: store.get("favourites") });
  }

  /** @param {Subject} subject */
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

  /** @param {View} view */
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
