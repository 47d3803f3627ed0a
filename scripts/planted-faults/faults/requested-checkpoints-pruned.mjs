export const fault = {
  promise: "rule 42",
  what: "a checkpoint that a block asked for goes with the history that a policy drops",
  module: "src/core/journal/shorten-journal.ts",
  changes: [{ from: "state.requested.find(({ forgotten }) => !forgotten)", to: "undefined" }],
  foundBy: [{ file: "test/core/journal/requested-checkpoints.test.ts", test: "stays with its history where the past is dropped" }],
};
