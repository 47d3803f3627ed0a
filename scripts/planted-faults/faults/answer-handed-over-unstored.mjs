export const fault = {
  promise: "D1",
  what: "a block gets its answer before that is stored",
  module: "src/core/runner/loop.ts",
  changes: [
    { from: "if (decision.pauses.length > 0 || decision.due.some(({ signal }) => signal !== undefined)) await session.flushed();", to: "" },
  ],
  foundBy: [{ file: "test/promises/acknowledged-steps.test.ts", test: "a block gets its answer once that is stored" }],
};
