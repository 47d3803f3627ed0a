/** Language models as blocks, on models of the package `ai` that the host grants (`grants.models`). */
export { agentBlocks } from "./agent.ts";
export type { AgentOptions, AgentProfile } from "./agent-options.ts";
export { browserModel, type BrowserModelOptions } from "./browser-model.ts";
export { llmBlock } from "./llm.ts";
export type { GrantedModels, Model, PricedModel } from "./models.ts";
export type { AgentTool } from "./tools.ts";
