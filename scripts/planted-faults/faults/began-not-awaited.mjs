export const fault = {
  promise: "D10",
  what: "an effect that must not happen twice begins before that is stored",
  module: "src/core/runner/effect-once.ts",
  changes: [{ from: "  await session.flushed();\n", to: "" }],
  foundBy: [{ file: "test/core/runner/once.test.ts", test: "begins only once that is stored" }],
};
