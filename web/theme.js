// Light or dark: the system's choice until the button is pressed, then the reader's own, remembered.
// Loaded on its own and before the first paint, so that the page never flashes in the other theme.

const dark = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

function remembered() {
  try {
    const theme = localStorage.getItem("theme");
    return theme === "light" || theme === "dark" ? theme : null;
  } catch {
    return null; // storage can be switched off
  }
}

function remember(theme) {
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Then it lasts as long as the page.
  }
}

let chosen = remembered();

function apply() {
  root.dataset.theme = chosen ?? (dark.matches ? "dark" : "light");
}

apply();
dark.addEventListener("change", apply);

function wireButton() {
  const button = document.getElementById("theme");
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
