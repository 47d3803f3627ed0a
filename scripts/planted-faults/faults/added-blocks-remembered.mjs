export const fault = {
  promise: "rule 44",
  what: "a block whose answer is changed remembers what it had added with the former one, and adds that again where it is kept",
  module: "src/core/machine/fold-revised.ts",
  changes: [{ from: "progress.added = added.filter(({ iteration }) => iteration < kept);", to: "progress.added = added;" }],
  foundBy: [{ file: "test/core/runner/added-blocks.test.ts", test: "forgets what a block had added with an answer that was changed" }],
};
