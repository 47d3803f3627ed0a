export const fault = {
  promise: "agents",
  what: "what a message names is fetched for a model",
  module: "src/ai/ask-models.ts",
  changes: [{ from: "      experimental_download: refuseDownloads,\n", to: "" }],
  foundBy: [{ file: "test/ai/llm.test.ts", test: "nothing is fetched for a model" }],
};
