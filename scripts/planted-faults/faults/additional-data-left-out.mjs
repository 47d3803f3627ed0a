export const fault = {
  promise: "S9",
  what: "a record of a journal is not bound to the one before it",
  module: "src/encryption/sealed-entries.ts",
  changes: [{ from: 'return ["entry", run, number, before];', to: 'return ["entry", run, number];' }],
  foundBy: [{ file: "test/encryption/tampering.test.ts", test: "in a range: changed, cut off, or behind one that was exchanged" }],
};
