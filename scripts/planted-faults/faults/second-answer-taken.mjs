export const fault = {
  promise: "D9",
  what: "a question takes a second answer",
  module: "src/core/run/answer-pause.ts",
  changes: [
    { from: "  if (!run.session.state.open.has(number) || isTimeUp) {", to: "  if (isTimeUp) {" },
    { from: "if (!session.state.open.has(number) ||", to: "if (" },
  ],
  foundBy: [{ file: "test/core/runner/two-runners.test.ts", test: "answer the same pause at the same time" }],
};
