export const fault = {
  promise: "D25",
  what: "a transfer gives a run away before its file was read back",
  module: "src/core/transfer/transfer-run.ts",
  changes: [{ from: "if (staying.size === 0) return;", to: "if (staying.size >= 0) return;" }],
  foundBy: [{ file: "test/promises/run-files.test.ts", test: "D25: a run whose file could not be imported stays here" }],
};
