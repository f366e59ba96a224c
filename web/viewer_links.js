// What is handed on of the open picture: permalink, the picture's own address, download, loops.
import { permalink } from "./address.js";
import { announce } from "./announce.js";
import { morphUrl, pictureUrl } from "./api.js";
import { copyField } from "./copy.js";
import { subjectPath } from "./subject.js";

export function wireLinks() {
  const element = (name) => document.getElementById(name);
  const field = element("permalink");
  const copy = element("permalink-copy");
  let unsaid;

  copy.addEventListener("click", async () => {
    const copied = await copyField(field);
    announce(copied ? "The link is copied." : "Copying is not allowed here; the link is selected.");
    copy.textContent = copied ? "Copied" : "Selected";
    clearTimeout(unsaid);
    unsaid = setTimeout(() => { copy.textContent = "Copy link"; }, 2000);
  });

  return function show(subject, version) {
    const picture = pictureUrl(subject, "png", version);
    field.value = permalink(subject, version);
    element("picture-link").href = picture;
    element("download").href = picture;
    element("download").download = `nowhere-${subjectPath(subject).replaceAll("/", "-")}.png`;
    for (const format of ["gif", "webp"]) {
      const loop = element(`loop-${format}`);
      loop.hidden = subject.kind !== "between";
      if (!loop.hidden) loop.href = morphUrl([subject.a, subject.b], format, version);
    }
  };
}
