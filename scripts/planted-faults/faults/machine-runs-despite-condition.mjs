export const fault = {
  promise: "D17",
  what: "a block runs although its condition does not hold",
  module: "src/core/machine/decide.ts",
  changes: [
    {
      from: "if (condition === undefined || compiled.block(block).holds(scope)) return undefined;",
      to: "if (condition !== false) return undefined;",
    },
  ],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "one whose condition does not hold is skipped before its wave runs" }],
};
