export const fault = {
  promise: "S10",
  what: "what stands under a secret key is recorded as it is",
  module: "src/core/model/encoding.ts",
  changes: [{ from: "if (budget.isSecretKey?.(key) && mayBeSecret(member)) return NOT_PLAIN;", to: "" }],
  foundBy: [{ file: "test/core/secrets/keyed-values.test.ts", test: "is seen by the blocks that use it" }],
};
