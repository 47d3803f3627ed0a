export const fault = {
  promise: "D17",
  what: "a run sleeps or waits although it never looked at the run that a block called",
  module: "src/core/machine/decide.ts",
  changes: [
    { from: "looked.get(unitKey(unit)) !== call.answers", to: "looked.has(unitKey(unit)) && looked.get(unitKey(unit)) !== call.answers" },
  ],
  foundBy: [
    { file: "test/core/machine/decide.test.ts", test: "a call that was never looked at is looked at before the run waits" },
    { file: "test/core/runner/calls.test.ts", test: "rise through all levels" },
  ],
};
