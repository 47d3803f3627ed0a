import * as z from "zod/mini";
import { WorkflowError } from "../../core/model/errors.ts";
import { bindTools, RUN_TOOLS } from "../tools/table.ts";
import { refused, type Answered, type Tool, type ToolHost } from "../tools/tool.ts";
import type { PageTool } from "./model-context.ts";

/** The table of tools as a page offers it. */
export function pageTools(host: ToolHost): readonly PageTool[] {
  return bindTools(RUN_TOOLS, host).map(asPageTool);
}

function asPageTool(tool: Tool): PageTool {
  const { name, title, description, hints, input } = tool;
  return {
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input, { io: "input" }),
    annotations: { readOnlyHint: hints.readOnlyHint },
    execute: async (given) => JSON.stringify(await callTool(tool, given), undefined, 1),
  };
}

async function callTool(tool: Tool, given: unknown): Promise<Answered> {
  try {
    const checked = tool.input.safeParse(given ?? {});
    if (!checked.success) throw new WorkflowError("INPUT_INVALID", `${tool.name}: ${z.prettifyError(checked.error)}`);
    return await tool.call(checked.data, {});
  } catch (error) {
    return refused(error);
  }
}
