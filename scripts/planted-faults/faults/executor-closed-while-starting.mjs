export const fault = {
  promise: "D6",
  what: "a run that is being started when its executor is closed goes on executing",
  module: "src/core/run/executor.ts",
  changes: [{ from: "    await Promise.allSettled(this.#underWay);\n", to: "" }],
  foundBy: [{ file: "test/core/run/executor.test.ts", test: "waits for a run that is being started, and executes nothing of it" }],
};
