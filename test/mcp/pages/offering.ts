import { createExecutor } from "wavepoint";
import { offerTools } from "wavepoint/mcp/page";
import { memoryStore } from "wavepoint/store/memory";

/** What a test can call in a page that offers tools. */
export interface OfferingPage {
  /** The tools that the browser knows. */
  tools(): Promise<readonly { readonly name: string; readonly description: string }[]>;
  /** Uses one, as a language model would. */
  use(name: string, input: unknown): Promise<unknown>;
  /** Takes all of them back. */
  withdraw(): void;
  /** What the page's policy was broken by. */
  readonly violations: readonly string[];
}

/** As browsers have it for assistants within the page. */
interface ModelContext {
  getTools(): Promise<readonly { readonly name: string; readonly description: string }[]>;
  executeTool(tool: unknown, input: unknown): Promise<unknown>;
}

declare global {
  var offering: OfferingPage;
}

const violations: string[] = [];
document.addEventListener("securitypolicyviolation", ({ violatedDirective }) => violations.push(violatedDirective));

const { modelContext } = document as unknown as { readonly modelContext: ModelContext };
const blocks = [
  { id: "where", type: "GetInput", inputs: { prompt: "Where to?" } },
  { id: "sure", type: "ConfirmOperation", inputs: { message: "Sure?" }, dependsOn: ["where"] },
];
const trip = { name: "trip", description: "Plans a trip.", blocks, outputs: { to: "${blocks.where.input_value}" } };
const executor = createExecutor({ store: memoryStore(), workflows: [trip] });
const { withdraw } = await offerTools({ executor, workflows: [trip], workflowTools: true });

globalThis.offering = {
  async tools() {
    return (await modelContext.getTools()).map(({ name, description }) => ({ name, description }));
  },
  async use(name, input) {
    const tool = (await modelContext.getTools()).find((tool) => tool.name === name);
    return modelContext.executeTool(tool, input);
  },
  withdraw,
  violations,
};
document.title = "ready";
