/**
 * The tests of Node that have a process of their own, because they change it: what is global, the environment, the clock, or what modules give. All
 * others share a process with other files, which loads the engine once.
 */
export const OWN_PROCESS: readonly string[] = [
  "test/{default-host,default-host-sleep.node}.test.ts",
  "test/browser/{pause-form,pause-form-drafts,storage-state.node}.test.ts",
  "test/browser/worker/messages.test.ts",
  "test/core/run/{following,listeners.node}.test.ts",
  "test/core/runner/loaded-parts.node.test.ts",
  "test/corpus/cases-fake-indexeddb.node.test.ts",
  "test/demo/built-server.node.test.ts",
  "test/docs/answer-walk.node.test.ts",
  "test/encryption/{conformance-indexeddb,keys}.test.ts",
  "test/golden/*.test.ts",
  "test/mcp/page.node.test.ts",
  "test/network/sign-webhooks.test.ts",
  "test/node/parallel-signals.node.test.ts",
  "test/node/cli/{command-text,dashboard,encrypted,grants,moving,serve}.node.test.ts",
  "test/node/shell/{node-shell,without-proc}.node.test.ts",
  "test/properties/circumstances.node.test.ts",
  "test/server/links.test.ts",
  "test/simulator/loaded-code.node.test.ts",
  "test/store/indexeddb.test.ts",
  "test/store/indexeddb/*.test.ts",
  "test/telemetry/*.test.ts",
  "test/store/{postgres-races,s3-races}.node.test.ts",
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
