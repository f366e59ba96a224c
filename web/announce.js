// Announces one sentence to screen readers. Everything behind an open dialog is inert, so a dialog has a live
// region of its own.
import { element } from "./dom.js";

/** @param {string} text */
export function announce(text) {
  const region = document.querySelector("dialog[open] [aria-live]") ?? element("announcements");
  region.textContent = "";
  // The same sentence is announced a second time only if the region was empty in between.
  requestAnimationFrame(() => { region.textContent = text; });
}
