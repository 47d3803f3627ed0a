export const fault = {
  promise: "moves",
  what: "a run leaves for a place that cannot go on with it",
  module: "src/core/run/transfer-between.ts",
  changes: [{ from: "if (transferredTo === undefined) await", to: "if (transferredTo !== undefined) await" }],
  foundBy: [
    { file: "test/core/run/transfer-run.test.ts", test: "stays where its new place could not go on with it" },
    { file: "test/core/run/transfer-run.test.ts", test: "stays where another run has its id" },
  ],
};
