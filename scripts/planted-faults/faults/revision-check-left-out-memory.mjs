export const fault = {
  promise: "D8",
  what: "the memory store does not compare revisions",
  module: "src/store/memory.ts",
  changes: [{ from: "    checkExpected(commit, found?.head);\n", to: "" }],
  foundBy: [{ file: "test/store/memory.test.ts", test: "a writer that did not see the newest head is refused and leaves no trace" }],
};
