export const fault = {
  promise: "D21",
  what: "what a block stored for its former inputs counts again when these come back, though a service got another call meanwhile",
  module: "src/core/machine/given-inputs.ts",
  changes: [{ from: "if (own.memos && !isMore(given, keyOf(state, unit)?.given)) dropMemos(state, own, given);", to: "" }],
  foundBy: [{ file: "test/core/runner/once-keys.test.ts", test: "other inputs count anew, also when the first ones come back" }],
};
