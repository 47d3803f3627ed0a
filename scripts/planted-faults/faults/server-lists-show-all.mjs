export const fault = {
  promise: "server",
  what: "lists have runs that the request may not read",
  module: "src/server/operations/executor-operations.ts",
  changes: [{ from: "return items.filter((_, i) => allowed[i]);", to: "return items.filter((_, i) => i < allowed.length);" }],
  foundBy: [{ file: "test/server/access.node.test.ts", test: "have only the runs that the request may read" }],
};
