export const fault = {
  promise: "D3",
  what: "a list does not tell of the runs that it leaves out",
  module: "src/store/filesystem/run-lists.ts",
  changes: [{ from: "return { ...page, damaged: list };", to: "return { ...page, damaged: list.slice(0, 0) };" }],
  foundBy: [{ file: "test/promises/listed-checkpoints-of-files.node.test.ts", test: "D3: every listed checkpoint loads" }],
};
