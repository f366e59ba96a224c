// One sentence for those who listen to the page. Behind an open dialog everything is inert, so it has its own region.

export function announce(text) {
  const region = document.querySelector("dialog[open] [aria-live]") ?? document.getElementById("announcements");
  region.textContent = "";
  // The same sentence twice is announced twice only when the region was empty in between.
  requestAnimationFrame(() => { region.textContent = text; });
}
