export const fault = {
  promise: "D1",
  what: "a statement that waited in vain for a lock of SQLite goes on: the commit after it is acknowledged, and rolled back with it",
  module: "src/store/sqlite/connection.ts",
  changes: [{ from: "if (isLocked(error)) endWriting(sql, values);", to: "" }],
  foundBy: [{ file: "test/store/sqlite-rows.node.test.ts", test: "what waited in vain for another process" }],
};
