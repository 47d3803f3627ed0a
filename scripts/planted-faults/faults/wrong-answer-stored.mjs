export const fault = {
  promise: "S12",
  what: "an answer is stored before it is known to fit",
  module: "src/core/run/admit-answer.ts",
  changes: [{ from: "  refuse(await findPauseProblem(services, asker.session, asked, kept.opened));\n", to: "" }],
  foundBy: [{ file: "test/promises/refusals.test.ts", test: "S12: a refusal changes no stored byte: memory" }],
};
