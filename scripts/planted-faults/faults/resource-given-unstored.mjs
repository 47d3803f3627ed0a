export const fault = {
  promise: "D1",
  what: "a block gets a resource before the store has what it is found by",
  module: "src/core/runner/resources.ts",
  changes: [{ from: "    await session.flushed();\n", to: "" }],
  foundBy: [{ file: "test/core/runner/resources.test.ts", test: "has its reference in the store before a block gets it" }],
};
