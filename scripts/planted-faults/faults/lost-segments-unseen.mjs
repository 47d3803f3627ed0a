export const fault = {
  promise: "D2",
  what: "a store that knows a run does not look whether a segment of it was removed",
  module: "src/store/filesystem/open-run.ts",
  changes: [{ from: " &&\n    disk.facts(directory)?.changedAt === changesSeen.directory", to: "" }],
  foundBy: [{ file: "test/store/filesystem/damage-seen.node.test.ts", test: "in a store that knew it all along" }],
};
