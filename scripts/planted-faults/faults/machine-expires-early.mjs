export const fault = {
  promise: "D17",
  what: "a question expires before its deadline",
  module: "src/core/machine/decide.ts",
  changes: [{ from: "until <= now && !delivered.pauses.has(pause)", to: "!delivered.pauses.has(pause)" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "the run sleeps until the deadline" }],
};
