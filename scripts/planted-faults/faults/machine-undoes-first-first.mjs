export const fault = {
  promise: "D17",
  what: "what was done first is undone first",
  module: "src/core/machine/fold-compensation.ts",
  changes: [{ from: "return state.done.flatMap(", to: "return state.done.toReversed().flatMap(" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "what completed last is undone first" }],
};
