export const fault = {
  promise: "D1",
  what: "what a block gave is there for other runs before it is stored that it gave it",
  module: "src/core/runner/cached-results.ts",
  changes: [{ from: "  await session.flushed();\n", to: "" }],
  foundBy: [{ file: "test/core/runner/cached-results.test.ts", test: "a result is kept only once the step that gave it is stored" }],
};
