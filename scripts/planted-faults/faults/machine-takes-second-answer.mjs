export const fault = {
  promise: "D9",
  what: "the machine folds a second answer to a question",
  module: "src/core/machine/apply.ts",
  changes: [{ from: "if (!pause || pause.answer || pause.closed)", to: "if (!pause || pause.closed)" }],
  foundBy: [{ file: "test/core/machine/apply.test.ts", test: "refused as damage a second answer" }],
};
