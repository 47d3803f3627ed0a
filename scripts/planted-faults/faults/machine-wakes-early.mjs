export const fault = {
  promise: "D17",
  what: "a block that waits for an instant wakes before it",
  module: "src/core/machine/decide.ts",
  changes: [{ from: "(until !== undefined && until <= now) ?", to: "until !== undefined ?" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "what is tried again sleeps until its delay is over" }],
};
