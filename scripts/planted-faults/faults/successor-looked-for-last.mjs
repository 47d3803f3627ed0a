export const fault = {
  promise: "D8",
  what: "a writer looks at its own segment first, and at the one behind it when that may be gone again",
  module: "src/store/filesystem/segment-writer.ts",
  changes: [
    {
      from: "  if (inodeOf(disk, directory, segment + 1) !== undefined) return false;\n",
      to: "",
    },
    { from: "  return isOwn;\n", to: "  return isOwn && inodeOf(disk, directory, segment + 1) === undefined;\n" },
  ],
  foundBy: [{ file: "test/store/filesystem/stopped.node.test.ts", test: "is stopped twice" }],
};
