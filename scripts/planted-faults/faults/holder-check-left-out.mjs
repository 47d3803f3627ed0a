export const fault = {
  promise: "D8",
  what: "a writer does not look, once it has written, whether it still has the run",
  module: "src/store/filesystem/run-folder.ts",
  changes: [{ from: "      held = holds(own, current);", to: "      held = true;" }],
  foundBy: [{ file: "test/promises/superseded-runner.node.test.ts", test: "D8" }],
};
