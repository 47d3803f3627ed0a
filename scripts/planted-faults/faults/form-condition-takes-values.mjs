export const fault = {
  promise: "S2",
  what: "a condition of a form refers to another block, whose value becomes a part of it",
  module: "src/core/blocks/form.ts",
  changes: [{ from: "    if (outer !== undefined) {\n", to: "    if (outer !== undefined && written.prompt === undefined) {\n" }],
  foundBy: [
    {
      file: "test/core/blocks/form-conditions.test.ts",
      test: "that refers to another block is refused at load",
    },
  ],
};
