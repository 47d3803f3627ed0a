export const fault = {
  promise: "D19",
  what: "a snapshot is taken for the newest state: what follows it is left out",
  module: "src/core/engine/read-run.ts",
  changes: [
    {
      from: "  for (const entry of entries) transition(state, entry);",
      to: "  if (known === undefined) for (const entry of entries) transition(state, entry);",
    },
    { from: "  if (state.entries !== count) {", to: "  if (known === undefined && state.entries !== count) {" },
  ],
  foundBy: [{ file: "test/promises/snapshot-and-tail.test.ts", test: "D19: a snapshot" }],
};
