export const fault = {
  promise: "D24",
  what: "an answer or a cancel is given up after others were first a few times",
  module: "src/core/runner/after-conflicts.ts",
  changes: [{ from: "const MAX_TRIES = 60;", to: "const MAX_TRIES = 4;" }],
  foundBy: [{ file: "test/promises/races.test.ts", test: "D24: who is outrun again and again is not refused: memory" }],
};
