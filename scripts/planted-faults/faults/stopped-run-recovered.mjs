export const fault = {
  promise: "D23",
  what: "a run that is stopped for now is left running in the store, so that an executor that recovers runs goes on with it",
  module: "src/core/machine/run-status.ts",
  changes: [{ from: 'if (state.suspension) return "paused";', to: "" }],
  foundBy: [{ file: "test/core/runner/stop.test.ts", test: "is left alone by recover" }],
};
