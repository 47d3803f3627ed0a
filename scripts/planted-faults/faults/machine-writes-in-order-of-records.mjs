export const fault = {
  promise: "D17",
  what: "what channels hold depends on which block of a wave was quicker",
  module: "src/core/machine/channels.ts",
  changes: [
    {
      from: "if (units.length > 1) all.sort((a, b) => a.wave - b.wave || a.iteration - b.iteration || a.block - b.block || a.item - b.item);",
      to: "void units;",
    },
  ],
  foundBy: [{ file: "test/core/machine/channels.test.ts", test: "are joined in the order of the plan, not of the records" }],
};
