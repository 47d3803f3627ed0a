export const fault = {
  promise: "D9",
  what: "a question takes a second answer",
  module: "src/core/run/answer-pause.ts",
  changes: [
    { from: "  if (pause.answer || pause.closed || isTimeUp) {", to: "  if (isTimeUp) {" },
    { from: "if (!pause || pause.answer || pause.closed ||", to: "if (!pause ||" },
  ],
  foundBy: [{ file: "test/core/runner/two-runners.test.ts", test: "answer the same pause at the same time" }],
};
