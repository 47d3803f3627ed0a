export const fault = {
  promise: "D3",
  what: "a page of checkpoints leaves out those that stand in one record with newer ones",
  module: "src/store/indexeddb/lists.ts",
  changes: [{ from: "after && after.createdAt + PACK_SPAN_MS", to: "after && after.createdAt" }],
  foundBy: [{ file: "test/store/indexeddb/checkpoint-lists.test.ts", test: "pages that begin amid checkpoints" }],
};
