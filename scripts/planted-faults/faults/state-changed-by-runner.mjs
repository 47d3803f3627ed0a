export const fault = {
  promise: "D6",
  what: "something beside the machine writes to the state of a run",
  module: "src/core/runner/call-workflow.ts",
  changes: [{ from: "caller.noteLook(unit);", to: "state.reviving.delete(unitKey(unit));" }],
  foundBy: [{ file: "test/core/runner/calls.test.ts", test: "rise through all levels" }],
};
