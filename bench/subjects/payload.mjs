export const PAYLOAD_BYTES = 1_000;
const VARIETY = 1_009;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

let state = 88_675_123;
const random = () => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state >>> 0;
};

// Text that does not compress, the same in every run of the benchmark.
const texts = Array.from({ length: VARIETY }, () => Array.from({ length: PAYLOAD_BYTES }, () => LETTERS[random() % 64]).join(""));

/** 1,000 characters. */
export function payload(index) {
  return texts[index % VARIETY];
}
