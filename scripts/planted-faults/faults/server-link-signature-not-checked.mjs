export const fault = {
  promise: "server",
  what: "links of anyone are believed",
  module: "src/server/links.ts",
  changes: [{ from: "if (!isGenuine)", to: "if (!part)" }],
  foundBy: [{ file: "test/server/links.test.ts", test: "any after its time, with a changed letter, of another server" }],
};
