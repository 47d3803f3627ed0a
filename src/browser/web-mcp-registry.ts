import type { JsonSchema } from "../core/model/json-schema.ts";

/** What a page offers to the language model of the browser. */
export interface WebTool {
  /** 1 to 128 letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  execute(input: unknown): Promise<string>;
}

/** Where tools are offered, under any name that browsers give it. */
export interface ToolRegistry {
  /** The names of the tools that the page offers now, by the question: runs of one workflow ask the same ones. */
  readonly names: Map<string, string>;
  /** Gives the function that withdraws the tool. */
  register(tool: WebTool): () => void;
}

/** The forms that `modelContext` has had. */
interface ModelContext {
  registerTool?(tool: unknown, options?: { readonly signal: AbortSignal }): unknown;
  unregisterTool?(name: string): void;
  provideContext?(context: { readonly tools: readonly unknown[] }): void;
}

/** Where this browser takes tools; nothing where it takes none. */
export function findToolRegistry(): ToolRegistry | undefined {
  const { document, navigator } = globalThis as Partial<typeof globalThis>;
  const now = contextOf(document);
  // The older form wants what MCP servers give.
  const before = now ? undefined : contextOf(navigator);
  const context = now ?? before;
  if (!context) return undefined;
  const shape = (tool: WebTool): unknown =>
    before ? { ...tool, execute: async (input: unknown) => ({ content: [{ type: "text", text: await tool.execute(input) }] }) } : tool;
  return context.registerTool ? oneByOne(context, shape) : allAtOnce(context, shape);
}

function contextOf(holder: object | undefined): ModelContext | undefined {
  const context = (holder as { readonly modelContext?: ModelContext } | undefined)?.modelContext;
  return context?.registerTool || context?.provideContext ? context : undefined;
}

function oneByOne(context: ModelContext, shape: (tool: WebTool) => unknown): ToolRegistry {
  return {
    names: sharedOf(namesOf, context, () => new Map()),
    register(tool) {
      const controller = new AbortController();
      const registered = attempt(() => context.registerTool!(shape(tool), { signal: controller.signal }));
      return () => {
        controller.abort();
        if (hasUnregister(registered)) registered.unregister();
        else if (context.unregisterTool) attempt(() => context.unregisterTool!(tool.name));
      };
    },
  };
}

/** Browsers may refuse, by a policy of the page say: then there is no tool, and the question is still on the page. */
function attempt(call: () => unknown): unknown {
  try {
    const given = call();
    if (given instanceof Promise) given.catch(() => {});
    return given;
  } catch {
    return undefined;
  }
}

function hasUnregister(value: unknown): value is { unregister(): void } {
  return typeof value === "object" && value !== null && "unregister" in value && typeof value.unregister === "function";
}

/** The oldest form takes a list in the place of the one before. */
function allAtOnce(context: ModelContext, shape: (tool: WebTool) => unknown): ToolRegistry {
  const offered = sharedOf(lists, context, () => new Set());
  const provide = (): unknown => attempt(() => context.provideContext!({ tools: [...offered] }));
  return {
    names: sharedOf(namesOf, context, () => new Map()),
    register(tool) {
      const shaped = shape(tool);
      offered.add(shaped);
      provide();
      return () => {
        offered.delete(shaped);
        provide();
      };
    },
  };
}

/** What several runs of a page share. */
const lists = new WeakMap<ModelContext, Set<unknown>>();
const namesOf = new WeakMap<ModelContext, Map<string, string>>();

function sharedOf<T>(all: WeakMap<ModelContext, T>, context: ModelContext, make: () => T): T {
  const shared = all.get(context) ?? make();
  all.set(context, shared);
  return shared;
}
