export const fault = {
  promise: "D19",
  what: "a snapshot is taken for the newest state: what follows it is left out",
  module: "src/core/journal/read-run.ts",
  changes: [
    {
      from: "  for (const entry of entries) folded.apply(entry);",
      to: "  if (known === undefined) for (const entry of entries) folded.apply(entry);",
    },
    { from: "  if (found !== count) {", to: "  if (known === undefined && found !== count) {" },
  ],
  foundBy: [{ file: "test/promises/snapshot-and-tail.test.ts", test: "D19: a snapshot" }],
};
