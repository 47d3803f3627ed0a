export const fault = {
  promise: "D3",
  what: "the filesystem store does not compare checksums",
  module: "src/store/filesystem/line.ts",
  changes: [{ from: ' || bytes.toString("latin1", seal, end) !== `"${checksum(bytes.subarray(start, seal))}"]`', to: "" }],
  foundBy: [{ file: "test/store/filesystem/golden.node.test.ts", test: "D3: no changed bit of" }],
};
