export const fault = {
  promise: "D19",
  what: "records that changed since a snapshot are taken for those that it holds",
  module: "src/core/journal/states/snapshots.ts",
  changes: [{ from: "    if (written?.changes === changes) return written;", to: "    if (written) return written;" }],
  foundBy: [{ file: "test/core/journal/snapshots.test.ts", test: "D19: the snapshots of a run of many blocks" }],
};
