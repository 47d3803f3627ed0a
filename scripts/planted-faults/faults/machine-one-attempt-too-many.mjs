export const fault = {
  promise: "D17",
  what: "a block is tried once more than its policy says",
  module: "src/core/machine/decide-failure.ts",
  changes: [{ from: "attempt >= retry.maxAttempts", to: "attempt > retry.maxAttempts" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "the last attempt is final" }],
};
