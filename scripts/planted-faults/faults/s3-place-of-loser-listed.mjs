export const fault = {
  promise: "D8",
  what: "a list of S3 shows a place that a writer left who was not first",
  module: "src/store/s3/places.ts",
  changes: [{ from: "return isSame && link.placed", to: "return link.placed" }],
  foundBy: [
    { file: "test/store/s3-races.node.test.ts", test: "a writer that dies before its commit is there leaves a place that no list shows" },
  ],
};
