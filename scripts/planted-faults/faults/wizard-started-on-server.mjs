export const fault = {
  promise: "wizards",
  what: "a wizard is started while a page is drawn on a server that waits for data",
  module: "src/bindings/svelte.ts",
  changes: [{ from: 'typeof document === "undefined" ? NO_WIZARD : wizard', to: "wizard" }],
  foundBy: [{ file: "test/bindings/drawn-on-a-server.node.test.ts", test: "also where it waits for its id and for other data" }],
};
