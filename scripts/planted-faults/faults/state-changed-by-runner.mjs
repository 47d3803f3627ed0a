export const fault = {
  promise: "D6",
  what: "something beside the machine writes to the state of a run",
  module: "src/core/runner/call-workflow.ts",
  changes: [{ from: "step.place.looked.set(key, state.calls.get(key)?.answers ?? 0);", to: "state.reviving.delete(key);" }],
  foundBy: [{ file: "test/core/runner/calls.test.ts", test: "rise through all levels" }],
};
