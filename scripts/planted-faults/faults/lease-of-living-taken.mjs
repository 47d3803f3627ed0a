export const fault = {
  promise: "D8",
  what: "a claim ends with its first time: a holder that lives does not make it longer",
  module: "src/store/leases.ts",
  changes: [{ from: "      renew().catch(() => {});", to: "" }],
  foundBy: [{ file: "test/store/sqlite.node.test.ts", test: "a holder that lives keeps its run" }],
};
