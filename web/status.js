// The message box: what is wrong, in plain words. It appears and disappears by itself.
import { isReady } from "./api.js";
import { element } from "./dom.js";
import { pollWhileVisible } from "./poll.js";
/** @import { ServerError } from "./request.js" */

/** @typedef {"loading" | "busy" | "unreachable" | "note"} Kind */

const READY_POLL = 1; // seconds

/** @param {() => void} onReady called when a model that was being loaded is ready */
export function createStatus(onReady) {
  const box = element("status");
  const title = element("status-title");
  const text = element("status-text");
  /** @type {{ kind: Kind | null }} null: no message */
  const shown = { kind: null };

  /**
   * @param {Kind} kind
   * @param {string} newTitle
   * @param {string} newText
   */
  function show(kind, newTitle, newText = "") {
    shown.kind = kind;
    box.hidden = false;
    box.dataset.kind = kind;
    title.textContent = newTitle;
    text.textContent = newText;
  }

  function clear() {
    shown.kind = null;
    box.hidden = true;
    title.textContent = "";
    text.textContent = "";
  }

  function waitForModel() {
    if (shown.kind === "loading") return;
    show("loading", "The model is being loaded.", "The first streets will appear here in a moment.");
    pollWhileVisible(async () => {
      if (shown.kind !== "loading") return null;
      if (!(await isReady())) return READY_POLL;
      clear();
      onReady();
      return null;
    });
  }

  /**
   * From the picture queue: the server is busy or away, or (null) it answers again.
   * @param {ServerError | null} error
   */
  async function trouble(error) {
    if (error === null) {
      if (shown.kind !== null && shown.kind !== "note") clear();
    } else if (error.status === 0) {
      show("unreachable", "The server does not answer.", "Trying again until it does.");
    } else if (shown.kind === null || shown.kind === "unreachable") {
      shown.kind = "busy";
      const ready = await isReady();
      if (shown.kind !== "busy") return; // the message has changed in the meantime
      if (ready) show("busy", "Many are looking just now.", "The pictures come a little slower.");
      else waitForModel();
    }
  }

  /**
   * A message that stays until the next one: a picture that is not available, an epoch that is gone.
   * @param {string} words
   */
  function note(words) {
    if (shown.kind === null || shown.kind === "note") show("note", words);
  }

  function clearNote() {
    if (shown.kind === "note") clear();
  }

  element("status-close").addEventListener("click", clear);
  return { trouble, note, clearNote };
}
