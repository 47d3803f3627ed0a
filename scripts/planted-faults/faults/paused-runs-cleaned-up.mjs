export const fault = {
  promise: "D13",
  what: "a cleanup removes runs that wait for a person",
  module: "src/core/maintenance/cleanup.ts",
  changes: [{ from: '(head.status === "paused" && !keepPaused)', to: 'head.status === "paused"' }],
  foundBy: [{ file: "test/core/maintenance/cleanup.test.ts", test: "keeps what waits for an answer, unless told otherwise" }],
};
