export const fault = {
  promise: "D6",
  what: "the machine folds a step before its dependencies",
  module: "src/core/machine/admit-record.ts",
  changes: [{ from: "if (!isDue || !isNext) {", to: "if (!isDue) {" }],
  foundBy: [{ file: "test/core/machine/apply.test.ts", test: "refused as damage a step before its dependencies" }],
};
