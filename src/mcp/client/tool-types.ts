import type { FromJson } from "../../core/model/json-types.ts";
import type { Value } from "../../core/model/value.ts";
import type { TypedBlock } from "../../core/ports/block.ts";
import type { GrantedServers } from "./granted-servers.ts";

/** The block type `McpTool`, with what TypeScript knows of the tools of its servers. */
export type McpToolBlock<Servers extends GrantedServers> = TypedBlock<
  "McpTool",
  ServerCalls<Servers>,
  { readonly result: Results<Servers>; readonly content: readonly Value[] },
  { readonly [name: string]: Value }
>;

interface AnyArguments {
  readonly [name: string]: Value;
}

/** What a block may call: of each server each tool, with its arguments. */
type ServerCalls<Servers> = {
  [Name in keyof Servers & string]: Servers[Name] extends { readonly tools: readonly (infer Tool)[] }
    ? ToolCalls<Name, Tool>
    : { readonly server: Name; readonly tool: string; readonly arguments?: AnyArguments };
}[keyof Servers & string];

type ToolCalls<Server, Tool> = Tool extends { readonly name: infer Name extends string; readonly inputSchema: infer Schema }
  ? AnyArguments extends FromJson<Schema, "given">
    ? { readonly server: Server; readonly tool: Name; readonly arguments?: FromJson<Schema, "given"> }
    : { readonly server: Server; readonly tool: Name; readonly arguments: FromJson<Schema, "given"> }
  : { readonly server: Server; readonly tool: Tool & string; readonly arguments?: AnyArguments };

/** What a tool gives; any value where one of them does not say. */
type Results<Servers> = {
  [Name in keyof Servers]: Servers[Name] extends { readonly tools: readonly (infer Tool)[] } ? ResultOf<Tool> : Value;
}[keyof Servers];

type ResultOf<Tool> = Tool extends { readonly outputSchema: infer Schema } ? FromJson<Schema, "given"> : Value;
