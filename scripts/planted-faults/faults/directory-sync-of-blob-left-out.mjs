export const fault = {
  promise: "D2",
  what: "the name of a blob is not synced",
  module: "src/store/filesystem/blobs.ts",
  changes: [{ from: "await disk.syncDirectory(directory);", to: "await Promise.resolve();" }],
  foundBy: [{ file: "test/store/filesystem/crash-states.node.test.ts", test: "D2: every state in which a power cut may leave the disk" }],
};
