export const fault = {
  promise: "server",
  what: "what someone else answered is quoted to the holder of a link",
  module: "src/server/link-view.ts",
  changes: [{ from: 'result.error.code === "RESPONSE_INVALID" ? result', to: 'result.error.code !== "" ? result' }],
  foundBy: [{ file: "test/server/links.test.ts", test: "is used once: the same answer again does no harm" }],
};
