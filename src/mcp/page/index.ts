export { offerTools, type PageTools } from "./offer-tools.ts";
export type { Access } from "../tools/access.ts";
export type { ToolHostOptions } from "../tools/host.ts";
