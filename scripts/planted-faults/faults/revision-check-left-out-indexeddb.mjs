export const fault = {
  promise: "D8",
  what: "a commit to IndexedDB that follows one of another tab does not compare revisions",
  module: "src/store/indexeddb/commit-after-others.ts",
  changes: [{ from: "    checkExpected(commit, stored?.head);\n", to: "" }],
  foundBy: [{ file: "test/store/indexeddb.test.ts", test: "a writer that did not see the newest head is refused and leaves no trace" }],
};
