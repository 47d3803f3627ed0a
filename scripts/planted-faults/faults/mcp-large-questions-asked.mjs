export const fault = {
  promise: "mcp",
  what: "a question of a server has more fields than a page can draw",
  module: "src/mcp/client/server-questions.ts",
  changes: [{ from: "if (parts > MAX_FORM_PARTS)", to: "if (parts < 0)" }],
  foundBy: [{ file: "test/mcp/hostile.node.test.ts", test: "a server that asks with 10,000 fields" }],
};
