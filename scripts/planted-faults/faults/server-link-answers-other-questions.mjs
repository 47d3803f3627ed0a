export const fault = {
  promise: "server",
  what: "a link to one question answers others",
  module: "src/server/link-view.ts",
  changes: [{ from: ".every((one) => one === link.pause)", to: ".length < 9" }],
  foundBy: [{ file: "test/server/links.test.ts", test: "one to a question: everything else, from every endpoint" }],
};
