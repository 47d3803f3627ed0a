export const fault = {
  promise: "D2",
  what: "a write is acknowledged before its bytes are synced",
  module: "src/store/filesystem/run-folder.ts",
  changes: [{ from: "      await synced;\n", to: "" }],
  foundBy: [{ file: "test/store/filesystem/crash-states.node.test.ts", test: "D2: every state in which a power cut may leave the disk" }],
};
