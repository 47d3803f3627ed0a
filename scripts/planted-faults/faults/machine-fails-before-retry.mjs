export const fault = {
  promise: "D7",
  what: "a run fails while a sibling is still to be tried again",
  module: "src/core/machine/decide.ts",
  changes: [{ from: "sleepers.filter(({ retries }) => retries)", to: "NONE" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "a sibling that is tried again does" }],
};
