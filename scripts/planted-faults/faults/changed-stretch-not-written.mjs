export const fault = {
  promise: "D19",
  what: "records that changed since a snapshot are taken for those that it holds",
  module: "src/core/journal/snapshots.ts",
  changes: [{ from: "    if (before?.changes === changes) return [before.place];", to: "    if (before) return [before.place];" }],
  foundBy: [{ file: "test/core/journal/snapshots.test.ts", test: "D19: the snapshots of a run of many blocks" }],
};
