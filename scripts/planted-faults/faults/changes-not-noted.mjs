export const fault = {
  promise: "D5",
  what: "a commit that moves a run to another place of the lists is not noted for other processes",
  module: "src/store/filesystem/run-folder.ts",
  changes: [{ from: "    noteChange(batch);\n", to: "" }],
  foundBy: [{ file: "test/store/filesystem.node.test.ts", test: "a run that changes moves to the front" }],
};
