export const fault = {
  promise: "D8",
  what: "a commit with an epoch that is over is taken",
  module: "src/store/check-commit.ts",
  changes: [
    { from: "stored?.revision !== expected?.revision || stored?.epoch !== expected?.epoch", to: "stored?.revision !== expected?.revision" },
  ],
  foundBy: [
    { file: "test/store/memory.test.ts", test: "a writer that did not see the newest head" },
    { file: "test/store/indexeddb/writers.test.ts", test: "the right revision with another epoch is refused" },
  ],
};
