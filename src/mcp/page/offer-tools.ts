import { assertOptions } from "../../core/model/assert-options.ts";
import { HOST_OPTIONS, toolHost, type ToolHostOptions } from "../tools/host.ts";
import { findModelContext } from "./model-context.ts";

/** Tools that a page offers. */
export interface PageTools {
  /** Their names; none in a browser that takes no tools. */
  readonly names: readonly string[];
  /** Takes them back. Calls that are under way end as they would, and runs go on. */
  withdraw(): void;
}

/**
 * Offers workflows, runs and open questions to the language model of the browser, by the tools that MCP servers have, where there is WebMCP (`document.modelContext`, formerly
 * `navigator.modelContext`). Elsewhere it does nothing, and loads nothing. Tools for workflows as texts are not among them. Throws `KEY_UNKNOWN`, and
 * `CAPABILITY_MISSING` where the browser refuses a tool: none is offered then.
 */
export async function offerTools(options: ToolHostOptions): Promise<PageTools> {
  assertOptions("offerTools", options, HOST_OPTIONS);
  const host = toolHost(options);
  const context = findModelContext();
  if (!context) return { names: [], withdraw() {} };
  const { pageTools } = await import("./page-tools.ts");
  const tools = pageTools(host);
  const offered = await Promise.allSettled(tools.map((tool) => context.register(tool)));
  const withdraw = (): void => {
    for (const one of offered) if (one.status === "fulfilled") one.value();
  };
  const refused = offered.find((one) => one.status === "rejected");
  if (!refused) return { names: tools.map(({ name }) => name), withdraw };
  withdraw();
  throw refused.reason;
}
