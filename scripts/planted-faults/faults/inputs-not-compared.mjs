export const fault = {
  promise: "rule 44",
  what: "a revision keeps a step whose inputs changed",
  module: "src/core/machine/kept-units.ts",
  changes: [{ from: "if (inputsGiven(run, unit) !== inputsOfGiven(candidate.given)) return false;", to: "" }],
  foundBy: [
    { file: "test/promises/effects-of-revisions.test.ts", test: "killed before and after each record it ends at A" },
    { file: "test/corpus/cases.test.ts", test: "" },
  ],
};
