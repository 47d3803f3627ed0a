export const fault = {
  promise: "D17",
  what: "where branches meet, all of them are waited for",
  module: "src/core/machine/dependencies.ts",
  changes: [{ from: 'const isOneEnough = workflow.blocks[block]!.join === "any";', to: "const isOneEnough = false;" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "where branches meet one is enough" }],
};
