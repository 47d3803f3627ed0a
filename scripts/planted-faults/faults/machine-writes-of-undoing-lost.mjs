export const fault = {
  promise: "D17",
  what: "what a block writes that undoes another one is lost",
  module: "src/core/machine/channels.ts",
  changes: [{ from: "settle(folding, writerOf(state, unit));", to: "void unit;" }],
  foundBy: [
    {
      file: "test/core/machine/channels.test.ts",
      test: "stay as they were where the run undoes what it did, and each that undoes sees what the one before it wrote",
    },
  ],
};
