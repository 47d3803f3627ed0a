export const fault = {
  promise: "D16",
  what: "an open store does not look whether its directory is still the one it began with",
  module: "src/store/filesystem/identity.ts",
  changes: [{ from: "      if (look()) return;", to: "      if (look() || known !== undefined) return;" }],
  foundBy: [{ file: "test/store/filesystem/reset.node.test.ts", test: "D16" }],
};
