export const fault = {
  promise: "D17",
  what: "after a revision a step is kept that read a channel which holds something else now",
  module: "src/core/machine/channels.ts",
  changes: [{ from: "return [[name, stamp] as const];", to: "return [[name, stamp.slice(0, 0)] as const];" }],
  foundBy: [{ file: "test/core/machine/channels.test.ts", test: "run those again that read what holds something else now" }],
};
