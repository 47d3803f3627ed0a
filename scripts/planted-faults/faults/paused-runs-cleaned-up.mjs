export const fault = {
  promise: "D13",
  what: "a cleanup removes runs that wait for somebody",
  module: "src/core/engine/upkeep/cleanup.ts",
  changes: [{ from: '(head.status === "paused" && !keepPaused)', to: 'head.status === "paused"' }],
  foundBy: [{ file: "test/core/engine/upkeep/cleanup.test.ts", test: "keeps what waits for an answer, unless told otherwise" }],
};
