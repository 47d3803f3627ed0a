export const fault = {
  promise: "D8",
  what: "a claim in S3 is known by its number alone, which comes again",
  module: "src/store/s3/claims.ts",
  changes: [{ from: " || !(await isThere(bucket, claim))) return", to: ") return" }],
  foundBy: [{ file: "test/store/s3-races.node.test.ts", test: "a holder that slept until a second one came and went" }],
};
