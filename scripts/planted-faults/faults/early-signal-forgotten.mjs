export const fault = {
  promise: "D1",
  what: "a signal that comes before anything waits for it is forgotten",
  module: "src/core/machine/signals.ts",
  changes: [
    {
      from: "  addUntaken(state, id, name);\n}\n\n/** Folds that a unit continues",
      to: "  addUntaken(state, id, name);\n  if (!hasDelivery(state)) state.untaken?.get(name)?.delete(id);\n}\n\n/** Folds that a unit continues",
    },
  ],
  foundBy: [{ file: "test/core/runner/signals.test.ts", test: "takes one that came before it waited" }],
};
