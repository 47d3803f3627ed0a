export const fault = {
  promise: "D17",
  what: "a block that waits for an instant wakes before it",
  module: "src/core/machine/decide.ts",
  changes: [{ from: "one.until <= now)", to: "true)" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "what is tried again sleeps until its delay is over" }],
};
