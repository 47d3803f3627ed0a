export const fault = {
  promise: "D2",
  what: "a new segment has its bytes synced, and not its name",
  module: "src/store/filesystem/run-folder.ts",
  changes: [{ from: "allSynced([disk.sync(current.file), syncNames(own, current)])", to: "disk.sync(current.file)" }],
  foundBy: [{ file: "test/store/filesystem/crash-states.node.test.ts", test: "D2: every state in which a power cut may leave the disk" }],
};
