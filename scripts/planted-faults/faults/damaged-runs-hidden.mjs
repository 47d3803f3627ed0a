export const fault = {
  promise: "D3",
  what: "a list does not tell of the runs that it leaves out",
  module: "src/store/filesystem/store.ts",
  changes: [
    {
      from: "damaged.push({ run, error: fileFailure(error, `Reading run ${run}`).toJSON() });",
      to: "fileFailure(error, `Reading run ${run}`);",
    },
  ],
  foundBy: [{ file: "test/promises/listed-checkpoints-of-files.node.test.ts", test: "D3: every listed checkpoint loads" }],
};
