export const fault = {
  promise: "D4",
  what: "an answer does not take its draft along",
  module: "src/core/journal/session.ts",
  changes: [{ from: "dropNotes: dropped?.map(draftKey)", to: "dropNotes: undefined" }],
  foundBy: [{ file: "test/core/run/drafts.test.ts", test: "in the same step that accepts the answer" }],
};
