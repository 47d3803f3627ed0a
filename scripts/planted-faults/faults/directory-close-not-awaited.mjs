export const fault = {
  promise: "D20",
  what: "a directory is closed some time after it was synced",
  module: "src/store/filesystem/real-disk.ts",
  changes: [
    { from: "  closeSync,\n  constants", to: "  close,\n  closeSync,\n  constants" },
    { from: "      closeSync(directory);", to: "      close(directory);" },
  ],
  foundBy: [{ file: "test/store/filesystem/closing.node.test.ts", test: "once a directory is synced" }],
};
