export const fault = {
  promise: "rule 44",
  what: "what a step had added stays in the plan where a revision opens the step",
  module: "src/core/machine/open-units.ts",
  changes: [{ from: "if (fallen) added.dropBlocks(folding, fallen);", to: "" }],
  foundBy: [{ file: "test/core/runner/added-blocks.test.ts", test: "loses those of a step that is not kept" }],
};
