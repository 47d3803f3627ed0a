/**
 * The tests of Node that have a process of their own, because they change it for good: what modules give, or what no hook puts back. All others share a
 * process with other files, which loads the engine once. Clocks, globals and variables that vitest replaced are put back after each file.
 */
export const OWN_PROCESS: readonly string[] = [
  // Plays sixty days of every timer of its process.
  "test/default-host-sleep.node.test.ts",
  "test/core/run/{following,listeners.node}.test.ts",
  "test/core/runner/loaded-parts.node.test.ts",
  "test/corpus/cases-fake-indexeddb.node.test.ts",
  "test/docs/answer-walk.node.test.ts",
  "test/encryption/conformance-indexeddb.test.ts",
  "test/golden/*.test.ts",
  "test/node/parallel-signals.node.test.ts",
  "test/node/cli/grants.node.test.ts",
  "test/node/shell/{node-shell,without-proc}.node.test.ts",
  "test/properties/circumstances.node.test.ts",
  "test/simulator/loaded-code.node.test.ts",
  "test/store/indexeddb.test.ts",
  "test/store/indexeddb/*.test.ts",
  "test/telemetry/*.test.ts",
];

/**
 * Of these, the tests of the browser's database that Chromium runs on the real one: `npm test` leaves out the imitation in Node, the long tier and the
 * planted faults run both.
 */
export const ON_IMITATED_DATABASE: readonly string[] = [
  "test/corpus/cases-fake-indexeddb.node.test.ts",
  "test/encryption/conformance-indexeddb.test.ts",
  "test/store/indexeddb.test.ts",
  "test/store/indexeddb/{checkpoint-lists,damage,long-lists,notes,stored-bytes,upgrade,writers}.test.ts",
];
