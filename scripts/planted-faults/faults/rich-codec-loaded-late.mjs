export const fault = {
  promise: "D21",
  what: "what writes dates and bytes is loaded when the first is written, which an open page may not be able to any more",
  module: "src/core/runner/definitions.ts",
  changes: [
    {
      from: "await loadParts(called, (type) =>",
      to: 'await loadParts(called, (type) => true ? "question" :',
    },
  ],
  foundBy: [{ file: "test/package/begun-run.node.test.ts", test: "so does one whose own block gives a date" }],
};
