export const fault = {
  promise: "rule 44",
  what: "a revision keeps a step whose inputs changed",
  module: "src/core/engine/time/match-step.ts",
  changes: [{ from: "  if (!sameValue(inputs, inputsOf(donor, there))) return undefined;\n", to: "" }],
  foundBy: [
    { file: "test/core/engine/time/revise.test.ts", test: "asks again only what depends on a changed answer" },
    { file: "test/properties/revisions.test.ts", test: "random questionnaires" },
  ],
};
