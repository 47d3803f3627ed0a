export const fault = {
  promise: "rule 44",
  what: "a revision keeps a step whose inputs changed",
  module: "src/core/machine/kept-units.ts",
  changes: [{ from: "return inputsGiven(run, unit) === inputsOfGiven(candidate.given);", to: "return true;" }],
  foundBy: [
    { file: "test/promises/effects-of-revisions.test.ts", test: "killed before and after each record it ends at A" },
    { file: "test/corpus/cases.test.ts", test: "" },
  ],
};
