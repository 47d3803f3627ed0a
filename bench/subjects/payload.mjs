export const PAYLOAD_BYTES = 1_000;
const VARIETY = 1_009;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The same numbers in every run of the benchmark. */
function randomNumbers() {
  let state = 88_675_123;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

// Texts are made when one is asked for: a fresh process whose start is timed asks for none.
let texts;

function textsOf(random) {
  return Array.from({ length: VARIETY }, () => Array.from({ length: PAYLOAD_BYTES }, () => LETTERS[random() % 64]).join(""));
}

/** 1,000 characters that do not compress. */
export function payload(index) {
  texts ??= textsOf(randomNumbers());
  return texts[index % VARIETY];
}

export const TEXT_BYTES = 100_000;
const WORDS = 2_000;
const LONGEST_WORD = 9;
const TEXTS = 16;

function prosesOf(random) {
  // Words of which the first are used most, as in any language.
  const words = Array.from({ length: WORDS }, () =>
    Array.from({ length: 2 + (random() % (LONGEST_WORD - 1)) }, () => LETTERS[26 + (random() % 26)]).join(""),
  );
  const word = () => words[Math.floor(WORDS ** ((random() % 65_536) / 65_536)) - 1];
  return Array.from({ length: TEXTS }, () => {
    let text = "";
    while (text.length < TEXT_BYTES) text += `${word()} `;
    return text.slice(0, TEXT_BYTES);
  });
}

const noiseOf = (number) => Array.from({ length: TEXT_BYTES / PAYLOAD_BYTES }, (_, part) => payload(number + part)).join("");

let proses;
let noises;

/** 100,000 characters that compress as prose does. */
export function prose(index) {
  proses ??= prosesOf(randomNumbers());
  return proses[index % TEXTS];
}

/** 100,000 characters that do not compress. */
export function noise(index) {
  noises ??= Array.from({ length: TEXTS }, (_, number) => noiseOf(number));
  return noises[index % TEXTS];
}
