export const fault = {
  promise: "D8",
  what: "a writer looks at its own segment first, and at the one behind it when that may be gone again",
  module: "src/store/filesystem/segment-writer.ts",
  changes: [
    {
      from: "inodeOf(disk, directory, segment + 1) === undefined && inodeOf(disk, directory, segment) === inode;",
      to: "inodeOf(disk, directory, segment) === inode && inodeOf(disk, directory, segment + 1) === undefined;",
    },
  ],
  foundBy: [{ file: "test/store/filesystem/stopped.node.test.ts", test: "is stopped twice" }],
};
