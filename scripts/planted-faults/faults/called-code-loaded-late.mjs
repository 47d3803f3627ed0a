export const fault = {
  promise: "D21",
  what: "what a called workflow needs is loaded when it is called, which an open page may not be able to any more",
  module: "src/core/runner/definitions.ts",
  changes: [{ from: "for (const called of named ? [named] : this.#byName.values()) found.add(called);", to: "void named;" }],
  foundBy: [
    {
      file: "test/package/begun-run.node.test.ts",
      test: "so does one that calls another workflow, with other kinds of blocks, a secret and channels",
    },
  ],
};
