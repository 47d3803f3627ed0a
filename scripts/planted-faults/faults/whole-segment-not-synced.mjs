export const fault = {
  promise: "D2",
  what: "what a segment begins with that stands for others is not synced before its header",
  module: "src/store/filesystem/run-folder.ts",
  changes: [{ from: "      await disk.sync(writer.file);\n", to: "" }],
  foundBy: [{ file: "test/store/filesystem/crash-states.node.test.ts", test: "D2: every state in which a power cut may leave the disk" }],
};
