export const fault = {
  promise: "D17",
  what: "a block runs to which the block before it did not lead",
  module: "src/core/machine/dependencies.ts",
  changes: [
    { from: 'return isChosen(run, source, ids[block]!) ? undefined : { kind: "not-chosen", block: id };', to: "return undefined;" },
  ],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "the first way that holds is taken, the others are skipped" }],
};
