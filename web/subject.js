// What can be looked at: a street (a seed), a neighbour of one, a place on the way between two.
// A subject is a plain object: {kind: "street", seed}, {kind: "near", seed, k} or {kind: "between", a, b, t}.

export const SEEDS = 2 ** 32;
export const NEIGHBOURS = 8;
export const T_MAX = 1000;

export const street = (seed) => ({ kind: "street", seed });
export const near = (seed, k) => ({ kind: "near", seed, k });
export const between = (a, b, t) => ({ kind: "between", a, b, t });

export const wrapSeed = (number) => ((number % SEEDS) + SEEDS) % SEEDS;
export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

// A whole number from 0 to `most`, or null: the address bar is typed into by people.
export function parseNumber(text, most) {
  if (!/^\d{1,10}$/.test(text ?? "")) return null;
  const number = Number(text);
  return number <= most ? number : null;
}

export const parseSeed = (text) => parseNumber(text, SEEDS - 1);

export function subjectPath(subject) {
  switch (subject.kind) {
    case "street": return `street/${subject.seed}`;
    case "near": return `near/${subject.seed}/${subject.k}`;
    default: return `between/${subject.a}/${subject.b}/${subject.t}`;
  }
}

// The opposite of subjectPath; null for anything else.
export function parseSubject(path) {
  const [kind, ...words] = path.split("/");
  const numbers = words.map((word) => parseSeed(word));
  if (numbers.includes(null)) return null;
  if (kind === "street" && numbers.length === 1) return street(numbers[0]);
  if (kind === "near" && numbers.length === 2 && numbers[1] >= 1 && numbers[1] <= 64) return near(...numbers);
  if (kind === "between" && numbers.length === 3 && numbers[2] <= T_MAX) return between(...numbers);
  return null;
}

export function subjectTitle(subject) {
  switch (subject.kind) {
    case "street": return `Street ${subject.seed}`;
    case "near": return `Near street ${subject.seed}, no. ${subject.k}`;
    default: return `Street ${subject.a} to street ${subject.b}`;
  }
}
