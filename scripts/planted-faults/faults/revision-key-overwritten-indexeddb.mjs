export const fault = {
  promise: "D8",
  what: "a commit to IndexedDB that reads nothing overwrites what another tab wrote",
  module: "src/store/indexeddb/append.ts",
  changes: [{ from: ".add(record, [run, head.revision]);", to: ".put(record, [run, head.revision]);" }],
  foundBy: [{ file: "test/store/indexeddb/writers.test.ts", test: "a writer that slept while" }],
};
