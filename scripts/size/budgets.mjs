// @ts-check
// The most that a page may load until it asks: kilobytes (minified, gzip), and requests beside the one for the page itself. The documents name these
// figures in whole kilobytes, and a test compares them.

/** Pages that execute runs themselves, by their names. */
export const BUDGETS = /** @type {const} */ ({
  "own markup, definition in code": { kilobytes: 130.45, requests: 3 },
  "own markup, YAML read in the page": { kilobytes: 150.45, requests: 3 },
  "elements, definition in code": { kilobytes: 158.8, requests: 4 },
  "elements, YAML read in the page": { kilobytes: 178.9, requests: 4 },
});

/** A page whose executor works in a worker. */
export const WORKER_BUDGET = { kilobytes: 7.4, requests: 1 };

/** A page whose executor is on a server. */
export const REMOTE_BUDGET = { kilobytes: 9.9, requests: 1 };
