import { createExecutor } from "wavepoint";
import { offerPauses } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";

/** What a test can call in a page that offers its questions. */
export interface OfferingPage {
  /** The tools that the browser knows. */
  tools(): Promise<readonly { readonly name: string; readonly description: string }[]>;
  /** Uses one, as a language model would. */
  use(name: string, input: unknown): Promise<unknown>;
  /** The outputs, once the run has completed. */
  outputs(): unknown;
}

/** As browsers have it for assistants within the page. */
interface ModelContext {
  getTools(): Promise<readonly { readonly name: string; readonly description: string }[]>;
  executeTool(tool: unknown, input: unknown): Promise<unknown>;
}

declare global {
  var offering: OfferingPage;
}

const { modelContext } = document as unknown as { readonly modelContext: ModelContext };
const blocks = [
  { id: "where", type: "GetInput", inputs: { prompt: "Where to?" } },
  { id: "sure", type: "ConfirmOperation", inputs: { message: "Sure?" }, dependsOn: ["where"] },
];
const executor = createExecutor({
  store: memoryStore(),
  workflows: [{ name: "trip", blocks, outputs: { to: "${blocks.where.input_value}" } }],
});
const run = await executor.start("trip");
await run.settled();
offerPauses(run);

globalThis.offering = {
  async tools() {
    return (await modelContext.getTools()).map(({ name, description }) => ({ name, description }));
  },
  async use(name, input) {
    const tool = (await modelContext.getTools()).find((tool) => tool.name === name);
    return modelContext.executeTool(tool, input);
  },
  outputs: () => run.getSnapshot().outputs,
};
document.title = "ready";
