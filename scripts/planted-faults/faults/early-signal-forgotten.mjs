export const fault = {
  promise: "D1",
  what: "a signal that comes before anything waits for it is forgotten",
  module: "src/core/machine/signals.ts",
  changes: [{ from: "state.signals ??= new Map();", to: "if (state.waiting.size === 0) return;\n  state.signals ??= new Map();" }],
  foundBy: [{ file: "test/core/runner/signals.test.ts", test: "takes one that came before it waited" }],
};
