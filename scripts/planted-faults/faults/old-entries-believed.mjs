export const fault = {
  promise: "D3",
  what: "a list believes what its index says of a run without comparing it with the run's newest segment",
  module: "src/store/filesystem/run-entry.ts",
  changes: [
    {
      from: " &&\n    facts.sizeBytes === end.sizeBytes &&\n    facts.changedAt === end.changedAt &&\n    disk.facts(directory)?.changedAt === end.directoryChangedAt\n",
      to: "\n",
    },
  ],
  foundBy: [{ file: "test/store/filesystem/long-lists.node.test.ts", test: "of those with a status that few have" }],
};
