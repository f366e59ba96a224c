#include <fmt/core.h>

#include "core/text.h"
#include "figures/progress.h"
#include "report/html.h"

namespace nowhere {
namespace {

// Nothing is fetched, whatever a name in the page contains.
constexpr const char* kPagePolicy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

constexpr const char* kPageStyle = R"css(
:root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1rem; max-width: 66rem; }
h1 { font-size: 1.25rem; margin: 0; }
p { margin: .25rem 0 1rem; opacity: .8; }
img { display: block; width: auto; height: auto; max-width: 100%; max-height: calc(100vh - 12rem);
  margin: 0 auto; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0; }
button, select { font: inherit; min-width: 2.75rem; min-height: 2.75rem; }
button#play { min-width: 5.5rem; }
input[type=range] { flex: 1 1 16rem; min-height: 2.75rem; }
label { display: inline-flex; gap: .4rem; align-items: center; min-height: 2.75rem; }
output { font-variant-numeric: tabular-nums; min-width: 9rem; }
)css";

constexpr const char* kPageControls = R"html(
<form id="player" aria-label="Player">
<button type="button" id="first" title="First epoch (Home)" aria-label="First epoch">|&lt;</button>
<button type="button" id="back" title="Back one frame (left arrow)" aria-label="Back one frame">&lt;</button>
<button type="button" id="play" title="Play or pause (space)">Play</button>
<button type="button" id="forward" title="Forward one frame (right arrow)"
  aria-label="Forward one frame">&gt;</button>
<button type="button" id="last" title="Last epoch (End)" aria-label="Last epoch">&gt;|</button>
<input type="range" id="slider" min="0" value="0" step="1" aria-label="Frame">
<output id="epoch" for="slider"></output>
<label>Speed <select id="speed">
<option value="4">&#xBC;</option><option value="2">&#xBD;</option><option value="1" selected>1</option>
<option value="0.5">2</option><option value="0.25">4</option></select></label>
<label><input type="checkbox" id="repeat" checked> Repeat</label>
</form>
<noscript><p>The player needs JavaScript; progress.gif beside this page shows the same.</p></noscript>
)html";

constexpr const char* kPageScript = R"js(
"use strict";
const {frames, frameMs} = JSON.parse(document.getElementById("frames").textContent);
const [picture, slider, shownEpoch, play, speed, repeat] =
    ["picture", "slider", "epoch", "play", "speed", "repeat"].map((id) => document.getElementById(id));
const last = frames.length - 1;
let at = 0;
let timer = 0;

function show(frame) {
  at = Math.min(Math.max(frame, 0), last);
  const {epoch, address} = frames[at];
  picture.src = address;
  picture.alt = `64 pictures after epoch ${epoch}`;
  slider.value = at;
  slider.setAttribute("aria-valuetext", `epoch ${epoch}`);
  shownEpoch.textContent = `epoch ${epoch} of ${frames[last].epoch}`;
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  play.textContent = "Play";
}

function advance() {
  if (at === last && !repeat.checked) return pause();
  show(at === last ? 0 : at + 1);
  wait();
}

function wait() {
  // The end stands a little longer.
  timer = setTimeout(advance, frameMs * Number(speed.value) * (at === last ? 5 : 1));
}

function start() {
  if (at === last) show(0);
  play.textContent = "Pause";
  wait();
}

const toggle = () => (timer ? pause() : start());
function go(frame) {
  pause();
  show(frame);
}

const actions = {
  first: () => go(0), back: () => go(at - 1), play: toggle, forward: () => go(at + 1), last: () => go(last)
};
for (const [id, action] of Object.entries(actions))
  document.getElementById(id).addEventListener("click", action);
slider.max = last;
slider.addEventListener("input", () => go(slider.valueAsNumber));
document.getElementById("player").addEventListener("submit", (event) => event.preventDefault());
const keys = {
  " ": toggle, ArrowLeft: actions.back, ArrowRight: actions.forward, Home: actions.first, End: actions.last
};
document.addEventListener("keydown", (event) => {
  const control = event.target.closest("button, select, input");
  const own = control && (control.tagName === "SELECT" || control === slider || event.key === " ");
  if (!(event.key in keys) || own || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  keys[event.key]();
});
show(0);
if (last > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) start();
)js";

// Base64 and numbers only: nothing in it can end the script element.
std::string frames_json(const std::vector<PageFrame>& frames, int frame_ms) {
  std::string json = fmt::format("{{\"frameMs\": {}, \"frames\": [", frame_ms);
  for (size_t i = 0; i < frames.size(); ++i)
    json += fmt::format("{}\n{{\"epoch\": {}, \"address\": \"{}\"}}", i > 0 ? "," : "", frames[i].epoch,
                        data_address(frames[i].jpeg, "image/jpeg"));
  return json + "\n]}";
}

}  // namespace

std::string progress_page(const std::string& name, const std::vector<PageFrame>& frames, int width,
                          int height, int frame_ms) {
  std::string head = "\n<meta charset=\"utf-8\">\n";
  head += empty_element("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPagePolicy}}) + "\n";
  head += empty_element("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
          "\n";
  head += element("title", html_text(name + " · progress")) + element("style", kPageStyle);

  std::string body = element("h1", html_text(name));
  body += element("p", "The same 64 latent vectors after each epoch that was saved.");
  const std::string across = std::to_string(width), down = std::to_string(height);
  body += empty_element("img", {{"id", "picture"}, {"width", across}, {"height", down}, {"alt", ""}});
  body += kPageControls;
  body += element("script", frames_json(frames, frame_ms), {{"type", "application/json"}, {"id", "frames"}});
  body += element("script", kPageScript);

  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n";
  page += element("head", head) + "\n";
  page += element("body", element("main", body)) + "\n</html>\n";
  return page;
}

}  // namespace nowhere
