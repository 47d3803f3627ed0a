export const fault = {
  promise: "rule 49",
  what: "what the library lists as an error of a document is not looked at, nor what stands outside of it",
  module: "src/yaml/read-yaml.ts",
  changes: [
    { from: 'token.type === "error" || ', to: "" },
    { from: "[...document.errors, ...document.warnings]", to: "[...document.warnings]" },
  ],
  foundBy: [{ file: "test/yaml/read-whole.node.test.ts", test: "is refused, or read whole" }],
};
