export const fault = {
  promise: "D17",
  what: "a block whose question was left out gets that as an answer",
  module: "src/core/machine/decide.ts",
  changes: [{ from: 'if (answer!.action === "skip") skips', to: "if (false) skips" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "a question that was left out skips its block" }],
};
