export const fault = {
  promise: "D10",
  what: "what may have been executed before a crash is executed again as if it had not",
  module: "src/core/runner/loop.ts",
  changes: [{ from: '  session.record({ type: "recovered", at });\n', to: "" }],
  foundBy: [{ file: "test/core/runner/once.test.ts", test: "is executed again with the same key and the next number, after each crash" }],
};
