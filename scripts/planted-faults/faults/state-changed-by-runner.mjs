export const fault = {
  promise: "D6",
  what: "something beside the machine writes to the state of a run",
  module: "src/core/runner/call-workflow.ts",
  changes: [
    { from: "step.place.looked.set(unitKey(unit), unitState(state, unit).progress.call?.answers ?? 0);", to: "state.round.clear();" },
  ],
  foundBy: [{ file: "test/core/runner/calls.test.ts", test: "rise through all levels" }],
};
