export const fault = {
  promise: "wizards",
  what: "each component that shows why a wizard failed tries it again",
  module: "src/bindings/shared-wizard.ts",
  changes: [{ from: " || this.#state !== LOADING) return;\n    await", to: ") return;\n    await" }],
  foundBy: [{ file: "test/bindings/follow-wizard.test.ts", test: "only the first of all tries again by itself" }],
};
