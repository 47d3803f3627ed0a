export const fault = {
  promise: "D3",
  what: "a large value is accepted without comparing its hash",
  module: "src/core/journal/values/rich-codec.ts",
  changes: [{ from: " || (await host.hash(content)) !== hash", to: "" }],
  foundBy: [{ file: "test/core/journal/values/blobs.test.ts", test: "a blob that is not what it was" }],
};
