export const fault = {
  promise: "D8",
  what: "a process that was stopped takes a number for the next one though others used it and removed its file",
  module: "src/store/filesystem/segment-writer.ts",
  changes: [{ from: "  if (inodeOf(disk, directory, own.segment) === own.inode) return", to: "  return" }],
  foundBy: [{ file: "test/store/filesystem/stopped.node.test.ts", test: "it commits a base" }],
};
