export const fault = {
  promise: "D9",
  what: "the machine folds a second answer to a question",
  module: "src/core/machine/fold-questions.ts",
  changes: [{ from: "if (!pause || !state.open.delete(entry.pause))", to: "state.open.delete(entry.pause);\n  if (!pause)" }],
  foundBy: [{ file: "test/core/machine/apply.test.ts", test: "refused as damage a second answer" }],
};
