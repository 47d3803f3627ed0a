export const fault = {
  promise: "D3",
  what: "a piece of the checkpoint index is believed without comparing its checksum",
  module: "src/store/filesystem/row-pieces.ts",
  changes: [{ from: "  return crc32(bytes) === checksum;", to: "  return checksum >= 0 && bytes.length > 0;" }],
  foundBy: [{ file: "test/store/filesystem/long-checkpoints.node.test.ts", test: "a page goes on in the journal" }],
};
