export const fault = {
  promise: "D9",
  what: "an answer that comes between the last write and the release of the lock waits for the next visitor",
  module: "src/core/runner/hold-run.ts",
  changes: [
    {
      from: "        await this.#reread();\n        isDone =",
      to: "        isDone =",
    },
  ],
  foundBy: [{ file: "test/core/runner/two-runners.test.ts", test: "an answer that comes while the lock is released" }],
};
