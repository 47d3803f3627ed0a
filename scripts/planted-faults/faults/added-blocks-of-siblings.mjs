export const fault = {
  promise: "rule 23",
  what: "added blocks see what was added beside the block that adds them, as far as that was quicker",
  module: "src/core/runner/add-blocks.ts",
  changes: [{ from: ".filter(({ by }) => before.has(by))", to: "" }],
  foundBy: [{ file: "test/core/runner/added-blocks.test.ts", test: "see nothing that was added beside the block that adds them" }],
};
