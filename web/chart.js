// Line charts in SVG: a few curves over the images seen, with the newest values in words beside them.

const NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH = 480;
const HEIGHT = 200;
const LEFT = 40;
const BOTTOM = 22;
const TOP = 8;

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

function svg(name, attributes, text) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// A round step that gives about four lines.
function tickStep(span) {
  const power = 10 ** Math.floor(Math.log10(span / 4));
  return power * [1, 2, 5, 10].find((factor) => power * factor >= span / 4);
}

function ticks(least, most) {
  const step = tickStep(most - least || 1);
  const first = Math.ceil(least / step);
  const count = Math.floor(most / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

const usable = (points, key) => points.filter((point) => Number.isFinite(point.images) && Number.isFinite(point[key]));

function line(points, key, x, y) {
  const place = (point) => `${x(point.images).toFixed(1)} ${y(point[key]).toFixed(1)}`;
  return `M${usable(points, key).map(place).join("L")}`;
}

// {title, unit, zero, curves: [{key, name}]}; curve number i is drawn in the style .curve-i.
export function drawChart(figure, points, { title, curves, zero = true, digits = 2 }) {
  const drawn = curves.filter(({ key }) => usable(points, key).length > 0);
  figure.hidden = drawn.length === 0;
  if (figure.hidden) return;
  const values = drawn.flatMap(({ key }) => usable(points, key).map((point) => point[key]));
  const images = points.map((point) => point.images).filter(Number.isFinite);
  const [left, right] = [Math.min(...images), Math.max(...images)];
  const least = zero ? Math.min(0, ...values) : Math.min(...values);
  const most = Math.max(...values, least + 1e-6);
  const x = (value) => LEFT + ((value - left) / (right - left || 1)) * (WIDTH - LEFT - 8);
  const y = (value) => HEIGHT - BOTTOM - ((value - least) / (most - least)) * (HEIGHT - BOTTOM - TOP);

  const newest = drawn.map(({ key, name }) => ({ name, value: usable(points, key).at(-1)[key].toFixed(digits) }));
  const words = newest.map(({ name, value }) => `${name} ${value}`).join(", ");
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  picture.setAttribute("aria-label", `${title} over training. After ${compact.format(right)} images: ${words}.`);
  for (const value of ticks(least, most)) {
    picture.append(svg("line", { class: "rule", x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value) }));
    picture.append(svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, compact.format(value)));
  }
  for (const value of ticks(left, right)) {
    picture.append(svg("text", { x: x(value), y: HEIGHT - 4, "text-anchor": "middle" }, compact.format(value)));
  }
  drawn.forEach(({ key }) => {
    const number = curves.findIndex((curve) => curve.key === key);
    picture.append(svg("path", { class: `curve curve-${number}`, d: line(points, key, x, y) }));
  });
  figure.replaceChildren(captionOf(title, drawn, newest, curves), picture);
}

function captionOf(title, drawn, newest, curves) {
  const caption = document.createElement("figcaption");
  const heading = document.createElement("strong");
  heading.textContent = title;
  caption.append(heading);
  newest.forEach(({ name, value }, index) => {
    const entry = document.createElement("span");
    entry.className = `key key-${curves.indexOf(drawn[index])}`;
    entry.textContent = `${name} ${value}`;
    caption.append(entry);
  });
  return caption;
}
