export const fault = {
  promise: "D17",
  what: "a block sees what others of its wave write to channels",
  module: "src/core/machine/channels.ts",
  changes: [
    {
      from: "const below = layerAt(run, unit ? compiled.plan.waveOf[unit.block]! : state.wave);",
      to: "const below = layerAt(run, unit ? compiled.plan.waveOf[unit.block]! + 1 : state.wave);",
    },
  ],
  foundBy: [{ file: "test/core/machine/channels.test.ts", test: "a block does not see what others of its wave write" }],
};
