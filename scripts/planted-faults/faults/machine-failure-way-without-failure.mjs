export const fault = {
  promise: "D17",
  what: "a block for failures runs although nothing failed",
  module: "src/core/machine/dependencies.ts",
  changes: [{ from: 'return code === FAILED ? undefined : { kind: "no-failure", block: id };', to: "return undefined;" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "without a failure its block is skipped" }],
};
