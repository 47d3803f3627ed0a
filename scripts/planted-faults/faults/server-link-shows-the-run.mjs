export const fault = {
  promise: "server",
  what: "a link to one question shows all of its run in the stream",
  module: "src/server/serve.ts",
  changes: [{ from: "view: shown.view, lastId", to: "view: (view) => view, lastId" }],
  foundBy: [{ file: "test/server/links.test.ts", test: "follows its question alone" }],
};
