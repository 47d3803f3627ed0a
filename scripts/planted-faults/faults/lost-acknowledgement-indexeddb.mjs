export const fault = {
  promise: "D8",
  what: "a commit that was written, and not acknowledged, counts as one of another writer in IndexedDB",
  module: "src/store/indexeddb/commit-after-others.ts",
  changes: [{ from: "return isCommit(there) && from === writer", to: "return isCommit(there) && from !== writer" }],
  foundBy: [{ file: "test/store/indexeddb/writers.test.ts", test: "a commit whose acknowledgement was lost counts once" }],
};
