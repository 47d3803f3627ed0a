import { WorkflowError } from "../../core/model/errors.ts";

/** What a page offers to the language model of the browser. */
export interface PageTool {
  /** 1 to 128 letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean };
  execute(input: unknown): Promise<string>;
}

/** Where a browser takes tools. */
export interface ModelContext {
  /** Gives the function that withdraws the tool. Rejects with `CAPABILITY_MISSING` where the browser takes it not. */
  register(tool: PageTool): Promise<() => void>;
}

/** The forms that it has had. */
interface PlatformContext {
  registerTool(tool: unknown, options: { readonly signal: AbortSignal }): unknown;
  unregisterTool?(name: string): void;
}

/** Where this browser takes tools; nothing where it takes none. */
export function findModelContext(): ModelContext | undefined {
  const { document, navigator } = globalThis as Partial<typeof globalThis>;
  const present = contextOf(document);
  if (present) return { register: (tool) => register(present, tool, tool) };
  const former = contextOf(navigator);
  // The older form wants what MCP servers give.
  return (
    former && {
      register: (tool) => register(former, tool, { ...tool, execute: async (input: unknown) => asContent(await tool.execute(input)) }),
    }
  );
}

function contextOf(holder: object | undefined): PlatformContext | undefined {
  const context = (holder as { readonly modelContext?: Partial<PlatformContext> } | undefined)?.modelContext;
  return context?.registerTool ? (context as PlatformContext) : undefined;
}

function asContent(text: string): object {
  return { content: [{ type: "text", text }] };
}

async function register(context: PlatformContext, { name }: PageTool, shaped: unknown): Promise<() => void> {
  const controller = new AbortController();
  let registered: unknown;
  try {
    registered = await context.registerTool(shaped, { signal: controller.signal });
  } catch (cause) {
    const message = `The browser does not take the tool "${name}". Look whether the page offers one of that name already, and whether its permissions policy lets it offer tools.`;
    throw new WorkflowError("CAPABILITY_MISSING", message, { details: { tool: name }, cause });
  }
  return () => {
    controller.abort();
    if (hasUnregister(registered)) registered.unregister();
    else context.unregisterTool?.(name);
  };
}

function hasUnregister(value: unknown): value is { unregister(): void } {
  return typeof value === "object" && value !== null && "unregister" in value && typeof value.unregister === "function";
}
