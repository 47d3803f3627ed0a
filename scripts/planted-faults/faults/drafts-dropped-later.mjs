export const fault = {
  promise: "D4",
  what: "an answer's draft goes after the answer, not with it",
  module: "src/core/journal/pending.ts",
  changes: [{ from: "  return dropNotes ? { dropNotes } : {};", to: "  return {};" }],
  foundBy: [{ file: "test/core/run/drafts.test.ts", test: "in the same step that accepts the answer" }],
};
