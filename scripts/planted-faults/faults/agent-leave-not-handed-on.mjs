export const fault = {
  promise: "agents",
  what: "an agent that is asked calls a tool without the leave that the workflow wants",
  module: "src/ai/agent-options.ts",
  changes: [{ from: 'approval: "${inputs.task.approval}",', to: "approval: []," }],
  foundBy: [{ file: "test/ai/agent.test.ts", test: "ask for leave where the workflow of the one that asks them wants it" }],
};
