export const fault = {
  promise: "server",
  what: "an operation that needs two rights asks for one",
  module: "src/server/serve.ts",
  changes: [{ from: "for (const { right: needed, ...of } of needs) {", to: "for (const { right: needed, ...of } of needs.slice(0, 1)) {" }],
  foundBy: [{ file: "test/server/access.node.test.ts", test: 'needs {"right":"load"}, too' }],
};
