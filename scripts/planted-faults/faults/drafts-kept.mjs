export const fault = {
  promise: "D4",
  what: "an answer does not take its draft along",
  module: "src/core/engine/session.ts",
  changes: [{ from: "return { dropNotes: gone.map(draftKey) };", to: "return {};" }],
  foundBy: [{ file: "test/core/engine/pauses/drafts.test.ts", test: "in the same step that accepts the answer" }],
};
