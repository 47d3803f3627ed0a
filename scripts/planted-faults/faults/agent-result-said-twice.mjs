export const fault = {
  promise: "agents",
  what: "a call of a tool has two results, that of the package and that of the engine",
  module: "src/ai/ask-models.ts",
  changes: [{ from: '.filter(({ role }) => role !== "tool")', to: '.filter(({ role }) => role !== "system")' }],
  foundBy: [{ file: "test/ai/agent.test.ts", test: "reads which calls cannot be made" }],
};
