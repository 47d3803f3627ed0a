export const fault = {
  promise: "D2",
  what: "after a power cut lists believe a log of changes that was never synced",
  module: "src/store/filesystem/shard.ts",
  changes: [{ from: "if (session !== disk.session) return undefined;", to: "" }],
  foundBy: [{ file: "test/store/filesystem/long-lists.node.test.ts", test: "where the power was cut" }],
};
