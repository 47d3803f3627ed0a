export const fault = {
  promise: "D8",
  what: "a commit to IndexedDB that reads nothing overwrites what another tab wrote",
  module: "src/store/indexeddb/append.ts",
  changes: [{ from: ".add(record, [number, head.revision]);", to: ".put(record, [number, head.revision]);" }],
  foundBy: [{ file: "test/store/indexeddb/writers.test.ts", test: "a writer that slept while" }],
};
