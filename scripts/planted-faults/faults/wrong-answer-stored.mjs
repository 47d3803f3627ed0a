export const fault = {
  promise: "S12",
  what: "an answer is stored before it is known to fit",
  module: "src/core/run/answer-pause.ts",
  changes: [{ from: '  if (problem) return { status: "failure", run: run.id, error: problem };\n', to: "" }],
  foundBy: [{ file: "test/promises/refusals.test.ts", test: "S12: a refusal changes no stored byte: memory" }],
};
