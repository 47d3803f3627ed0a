export const fault = {
  promise: "D17",
  what: "a called run is not looked at again after an answer to one of its questions",
  module: "src/core/machine/decide.ts",
  changes: [{ from: "looked.get(unitKey(unit)) !== call.answers", to: "!looked.has(unitKey(unit))" }],
  foundBy: [{ file: "test/core/machine/decide.test.ts", test: "and again after an answer, although more is asked" }],
};
