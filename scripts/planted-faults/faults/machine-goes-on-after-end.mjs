export const fault = {
  promise: "D2",
  what: "the machine folds a step after the end of the run",
  module: "src/core/machine/apply.ts",
  changes: [{ from: "if (state.finished && !mayFollow(state.finished, entry)) throw", to: "if (false) throw" }],
  foundBy: [{ file: "test/core/machine/apply.test.ts", test: "refused as damage a step after the end" }],
};
