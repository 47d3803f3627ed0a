/**
 * The tests that look at the product as its users have it: the built package, the built demo and site, commands and stores in several processes,
 * pages in a browser of their own. `npm run test:e2e` runs them, beside those that kill; all others are `npm test`.
 */
export const END_TO_END: readonly string[] = [
  "test/demo/*.node.test.ts",
  "test/examples/*.node.test.ts",
  "test/node/cli/{dashboard,dev,init,own-blocks,process,serve,waiting,worker}.node.test.ts",
  "test/package/{begun-run,bundlers,contents,csp,globals,published-types,worker}.node.test.ts",
  "test/docs/{agent-examples,site-pages}.node.test.ts",
  "test/browser/elements/{one-click,slow-server}.node.test.ts",
  "test/browser/worker/built-worker.node.test.ts",
  "test/mcp/{client-killed,command,inspector,mcp-tool-in-chromium,page-in-chromium}.node.test.ts",
  "test/store/{full-disks,postgres-processes,processes}.node.test.ts",
  "test/store/indexeddb/offline.node.test.ts",
  "test/types/versions.node.test.ts",
];
