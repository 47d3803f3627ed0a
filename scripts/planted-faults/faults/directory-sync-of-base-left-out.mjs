export const fault = {
  promise: "D2",
  what: "the name of a segment that replaces others is not synced before they are removed",
  module: "src/store/filesystem/run-file.ts",
  changes: [{ from: "await syncNames(own);", to: "await Promise.resolve();" }],
  foundBy: [{ file: "test/store/filesystem/crash-states.node.test.ts", test: "D2: every state in which a power cut may leave the disk" }],
};
