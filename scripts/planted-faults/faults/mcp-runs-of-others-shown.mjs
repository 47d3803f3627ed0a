export const fault = {
  promise: "mcp",
  what: "a client that may bring workflows sees the runs of all that are not offered",
  module: "src/mcp/tools/held-run.ts",
  changes: [{ from: " || !(workflow || isBrought(await run.definition()))", to: "" }],
  foundBy: [{ file: "test/mcp/asking.node.test.ts", test: "sees, and answers, no runs but its own" }],
};
