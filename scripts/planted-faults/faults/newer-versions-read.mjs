export const fault = {
  promise: "D11",
  what: "a journal of a newer version is read as if it were of this one",
  module: "src/core/journal/read-run.ts",
  changes: [{ from: "entry.version === JOURNAL_VERSION) return;", to: "entry.version >= JOURNAL_VERSION) return;" }],
  foundBy: [{ file: "test/golden/golden.test.ts", test: "D11: a newer version" }],
};
