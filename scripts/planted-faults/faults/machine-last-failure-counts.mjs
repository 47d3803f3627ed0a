export const fault = {
  promise: "D17",
  what: "the failure that came last fails the run, not the first of the definition",
  module: "src/core/machine/fold-execution.ts",
  changes: [
    { from: "if (state.fatal < 0 || isBefore(compiled.plan, block, state.fatal)) state.fatal = block;", to: "state.fatal = block;" },
  ],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "of several failures the first of the definition counts" }],
};
