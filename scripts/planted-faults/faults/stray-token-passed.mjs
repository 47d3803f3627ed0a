export const fault = {
  promise: "rule 49",
  what: "what stands outside of the document is not looked at",
  module: "src/yaml/read-yaml.ts",
  changes: [{ from: 'if (stray) report("UNEXPECTED_TOKEN", stray.offset);', to: "" }],
  foundBy: [{ file: "test/yaml/read-whole.node.test.ts", test: "is refused, or read whole" }],
};
