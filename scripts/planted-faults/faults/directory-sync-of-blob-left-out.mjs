export const fault = {
  promise: "D2",
  what: "the name of a blob is not synced",
  module: "src/store/filesystem/blobs.ts",
  changes: [{ from: "\n  await disk.syncDirectory(directory);", to: "" }],
  foundBy: [{ file: "test/store/filesystem/crash-states.node.test.ts", test: "D2: every state in which a power cut may leave the disk" }],
};
