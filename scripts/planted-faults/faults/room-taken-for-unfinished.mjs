export const fault = {
  promise: "D3",
  what: "the room behind a damaged last commit makes it look like an unfinished write",
  module: "src/store/filesystem/scan.ts",
  changes: [
    { from: "  if (!bytes.subarray(start, next).includes(0)) return false;", to: "  if (!bytes.includes(0, start)) return false;" },
  ],
  foundBy: [{ file: "test/store/filesystem/damage.node.test.ts", test: "D3: no changed bit of the last commit" }],
};
