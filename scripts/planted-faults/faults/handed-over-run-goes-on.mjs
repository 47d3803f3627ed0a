export const fault = {
  promise: "D8",
  what: "a run that was handed over goes on where it was left",
  module: "src/core/runner/load-session.ts",
  changes: [{ from: "if (state.transferredTo !== undefined) return", to: 'if (state.transferredTo === "") return' }],
  foundBy: [{ file: "test/core/transfer/transfer.test.ts", test: "refuses to go on, says where it went, and can be read" }],
};
