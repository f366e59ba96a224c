// Light or dark: the system's setting until the button is pressed, then the reader's choice, which is
// remembered. Loaded before the first paint, so that the page never flashes in the wrong theme; imports
// nothing, to be quick.

const dark = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

function remembered() {
  try {
    const theme = localStorage.getItem("theme");
    return theme === "light" || theme === "dark" ? theme : null;
  } catch {
    return null; // storage can be disabled
  }
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // The choice lasts as long as the page, then.
  }
}

/** @type {string | null} */
let chosen = remembered();

function apply() {
  root.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
}

apply();
dark.addEventListener("change", apply);

function wireButton() {
  const button = document.getElementById("theme");
  if (!button) return;
  const show = () => button.setAttribute("aria-pressed", String(root.dataset.theme === "dark"));
  button.addEventListener("click", () => {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    remember(chosen);
    apply();
    show();
  });
  dark.addEventListener("change", show);
  show();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", wireButton);
else wireButton();
