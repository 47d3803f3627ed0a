export const fault = {
  promise: "D1",
  what: "under sync the next wave begins before the one before is stored",
  module: "src/core/runner/loop.ts",
  changes: [{ from: 'if (policy.durability === "sync" || (', to: "if ((" }],
  foundBy: [{ file: "test/promises/acknowledged-steps.test.ts", test: "D1" }],
};
