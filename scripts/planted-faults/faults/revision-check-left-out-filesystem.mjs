export const fault = {
  promise: "D8",
  what: "the filesystem store does not compare revisions",
  module: "src/store/filesystem/run-folder.ts",
  changes: [
    { from: "          checkExpected(commit, own.state.head);\n", to: "" },
    { from: "        checkExpected(commit, flushing === undefined ? own.state.head : ahead);\n", to: "" },
  ],
  foundBy: [
    { file: "test/store/filesystem.node.test.ts", test: "a writer that did not see the newest head is refused and leaves no trace" },
  ],
};
