export const fault = {
  promise: "S9",
  what: "what AES-GCM seals is not bound to its place at all",
  module: "src/encryption/seal.ts",
  changes: [{ from: "additionalData: new TextEncoder().encode(JSON.stringify(place))", to: "additionalData: new Uint8Array()" }],
  foundBy: [
    { file: "test/encryption/tampering.test.ts", test: "S9: a record of a journal is one error" },
    { file: "test/encryption/tampering.test.ts", test: "S9: what stands beside journals" },
  ],
};
