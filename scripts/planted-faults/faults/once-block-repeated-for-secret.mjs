export const fault = {
  promise: "D21",
  what: "a block that must not run twice runs again for a secret",
  module: "src/core/secrets/regain-secret.ts",
  changes: [{ from: "if (isOnce(services, session, unit.block)) return", to: "if (false) return" }],
  foundBy: [{ file: "test/core/secrets/keyed-values.test.ts", test: "a block that must not run twice is not run" }],
};
