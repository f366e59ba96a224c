// Elements of the page. The page and its scripts are served together, so an element that is missing is a
// mistake in one of them, and throws.

/**
 * The element with this id, of this class.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 */
export function elementOf(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} with the id ${id}`);
  return found;
}

/** @param {string} id */
export const element = (id) => elementOf(id, HTMLElement);

/**
 * The first element within `parent` that matches the selector.
 * @template {HTMLElement} T
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => T} type
 */
export function childOf(parent, selector, type) {
  const found = parent.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} that matches ${selector}`);
  return found;
}

/**
 * The closest element that matches the selector, from the event's target upwards.
 * @param {Event} event
 * @param {string} selector
 */
export function closestTo(event, selector) {
  const found = event.target instanceof Element ? event.target.closest(selector) : null;
  return found instanceof HTMLElement ? found : null;
}
