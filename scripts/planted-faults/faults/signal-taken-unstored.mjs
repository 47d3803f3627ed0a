export const fault = {
  promise: "D2",
  what: "a block is given a signal before that is stored",
  module: "src/core/runner/loop.ts",
  changes: [
    {
      from: "if (decision.pauses.length > 0 || decision.due.some(({ signal }) => signal !== undefined)) await",
      to: "if (decision.pauses.length > 0) await",
    },
  ],
  foundBy: [{ file: "test/core/runner/signals.test.ts", test: "is stored before the block that waits for it gets it" }],
};
