// Links to the open picture: permalink, the picture's own address, download, loops.
import { permalink } from "./address.js";
import { announce } from "./announce.js";
import { morphUrl, pictureUrl } from "./api.js";
import { copyField } from "./copy.js";
import { element, elementOf } from "./dom.js";
import { subjectPath } from "./subject.js";
/** @import { Version } from "./address.js" */
/** @import { Subject } from "./subject.js" */

const COPIED = 2000; // milliseconds that the button says so

/** Returns the function that sets the links. */
export function wireLinks() {
  const field = elementOf("permalink", HTMLInputElement);
  const copy = element("permalink-copy");
  const alone = elementOf("picture-link", HTMLAnchorElement);
  const download = elementOf("download", HTMLAnchorElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  copy.addEventListener("click", async () => {
    const copied = await copyField(field);
    announce(copied ? "The link was copied." : "Copying is not allowed here; the link is selected.");
    copy.textContent = copied ? "Copied" : "Selected";
    clearTimeout(timer);
    timer = setTimeout(() => { copy.textContent = "Copy link"; }, COPIED);
  });

  /**
   * @param {Subject} subject
   * @param {Version} version
   */
  return function show(subject, version) {
    const picture = pictureUrl(subject, "png", version);
    field.value = permalink(subject, version);
    alone.href = picture;
    download.href = picture;
    download.download = `nowhere-${subjectPath(subject).replaceAll("/", "-")}.png`;
    for (const format of ["gif", "webp"]) {
      const loop = elementOf(`loop-${format}`, HTMLAnchorElement);
      loop.hidden = subject.kind !== "between";
      if (subject.kind === "between") loop.href = morphUrl([subject.a, subject.b], format, version);
    }
  };
}
