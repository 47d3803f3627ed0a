export const fault = {
  promise: "D21",
  what: "what changes an answer is loaded when it is first called, not before the first block",
  module: "src/core/runner/definitions.ts",
  changes: [{ from: "    if (mayAsk) await this.#onQuestions();\n", to: "    if (mayAsk) void this.#onQuestions;\n" }],
  foundBy: [
    {
      file: "test/package/begun-run.node.test.ts",
      test: "a run that has begun goes on to its end, with back and revise, where the server has none of its files any more",
    },
  ],
};
