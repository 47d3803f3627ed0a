export const fault = {
  promise: "server",
  what: "a page of any origin may call",
  module: "src/server/access.ts",
  changes: [{ from: "return origin === null || origins.includes(origin)", to: 'return origin !== "" || origins.includes(origin)' }],
  foundBy: [{ file: "test/server/access.node.test.ts", test: "from a page elsewhere, and over another name" }],
};
