export const fault = {
  promise: "server",
  what: "links do not end",
  module: "src/server/links.ts",
  changes: [{ from: "if (link.expiresAt > Date.now()) return link;", to: "return link;" }],
  foundBy: [{ file: "test/server/links.test.ts", test: "any after its time, with a changed letter, of another server" }],
};
