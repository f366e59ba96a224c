// What goes wrong, in plain words, for as long as it does: it comes and goes by itself.
import { isReady } from "./api.js";
import { pollWhileVisible } from "./poll.js";

const READY_POLL = 1; // seconds

export function createStatus(onReady) {
  const box = document.getElementById("status");
  const title = document.getElementById("status-title");
  const text = document.getElementById("status-text");
  let kind = null; // "loading", "busy", "unreachable", "note", or null for nothing

  function show(newKind, newTitle, newText = "") {
    kind = newKind;
    box.hidden = false;
    box.dataset.kind = newKind;
    title.textContent = newTitle;
    text.textContent = newText;
  }

  function clear() {
    kind = null;
    box.hidden = true;
    title.textContent = text.textContent = "";
  }

  function waitForModel() {
    if (kind === "loading") return;
    show("loading", "The model is being loaded.", "The first streets appear here by themselves in a moment.");
    pollWhileVisible(async () => {
      if (kind !== "loading") return null;
      if (!(await isReady())) return READY_POLL;
      clear();
      onReady();
      return null;
    });
  }

  // From the picture queue: the server puts us off, or (null) answers again.
  async function trouble(error) {
    if (error === null) {
      if (kind !== null && kind !== "note") clear();
    } else if (error.status === 0) {
      show("unreachable", "The server does not answer.", "Trying again until it does.");
    } else if (kind === null || kind === "unreachable") {
      kind = "busy";
      if (await isReady()) {
        if (kind === "busy") show("busy", "Many are looking just now.", "The pictures come a little slower.");
      } else if (kind === "busy") waitForModel();
    }
  }

  // Something that stays until the next: a picture that cannot be had, an epoch that is gone.
  function note(words) {
    if (kind === null || kind === "note") show("note", words);
  }

  function clearNote() {
    if (kind === "note") clear();
  }

  document.getElementById("status-close").addEventListener("click", clear);
  return { trouble, note, clearNote };
}
