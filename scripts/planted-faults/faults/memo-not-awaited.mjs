export const fault = {
  promise: "D1",
  what: "a block is given a result that is to be there once before it is stored",
  module: "src/core/runner/memoize.ts",
  changes: [{ from: "  await session.flushed();\n", to: "" }],
  foundBy: [{ file: "test/core/runner/once-keys.test.ts", test: "is stored before it is given, with every durability" }],
};
