export const fault = {
  promise: "D13",
  what: "a cleanup removes blobs that runs refer to",
  module: "src/core/maintenance/cleanup.ts",
  changes: [{ from: "[definition, ...blobs]", to: "[definition]" }],
  foundBy: [{ file: "test/promises/needed-blobs.test.ts", test: "D13: a cleanup" }],
};
