export const fault = {
  promise: "D4",
  what: "the memory store shows a head before its entries",
  module: "src/store/memory.ts",
  changes: [
    {
      from: "for (const entry of commit.entries) run.entries.push(entry);",
      to: "for (const entry of commit.entries) setTimeout(() => run.entries.push(entry));",
    },
  ],
  foundBy: [{ file: "test/promises/readers.test.ts", test: "sees each commit whole or not at all: memory" }],
};
