export const fault = {
  promise: "D8",
  what: "a run in Redis knows its last writer only, so a commit that is sent again is refused although it was made",
  module: "src/store/redis/commits.ts",
  changes: [{ from: "const KEPT_WRITERS = 32;", to: "const KEPT_WRITERS = 1;" }],
  foundBy: [{ file: "test/store/redis-server.node.test.ts", test: "a commit that is sent again is known" }],
};
