export const fault = {
  promise: "D14",
  what: "a write is acknowledged though its sync failed",
  module: "src/store/filesystem/run-folder.ts",
  changes: [{ from: "      await synced;\n", to: "      await synced.catch(() => {});\n" }],
  foundBy: [{ file: "test/store/filesystem/disk-failure.node.test.ts", test: "after a failed sync nothing of that write counts" }],
};
