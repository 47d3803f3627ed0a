import type { BlockStatus, Executor, Run, RunView, Values } from "wavepoint";

/** One thing that a model wants done, and how it went. */
export interface TalkCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Values;
  readonly status: BlockStatus;
  /** What it gave. */
  readonly outputs?: Values | undefined;
  /** Why it is not made, as the model reads it. */
  readonly refused?: string | undefined;
  /** What the agent that was asked says. */
  readonly talk?: readonly TalkTurn[] | undefined;
}

/** One time that a model spoke. */
export interface TalkTurn {
  /** The run and the block, as events name them. */
  readonly at: string;
  readonly model?: string | undefined;
  readonly failed: readonly string[];
  /** What is recorded; absent while it speaks. */
  readonly text?: string | undefined;
  readonly calls: readonly TalkCall[];
}

interface RecordedTurn {
  readonly model: string;
  readonly failed: readonly { readonly model: string }[];
  readonly calls: readonly RecordedCall[];
}

interface RecordedCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Values;
  readonly refused?: string;
  readonly block?: string;
  readonly ask?: string;
}

/** Reads runs of agents: their turns are blocks, and so are the calls of tools and the questions about them. */
export class TalkReader {
  readonly #executor: Executor;
  readonly #changed: () => void;
  readonly #runs = new Map<string, { readonly run: Run; readonly end: () => void }>();

  /** `changed` is called when a run of an agent went on. */
  constructor(executor: Executor, changed: () => void) {
    this.#executor = executor;
    this.#changed = changed;
  }

  /** What the agent was asked. */
  async promptOf(id: string): Promise<string> {
    const { inputs } = await (await this.#follow(id)).context();
    return String((inputs["task"] as Values)["prompt"]);
  }

  /** What was said in the run of an agent so far. */
  async read(id: string): Promise<readonly TalkTurn[]> {
    const run = await this.#follow(id);
    const view = run.getSnapshot();
    const { values, channels } = await run.state();
    const blocks = new Map(view.waves.flatMap((wave) => wave.blocks.map((block) => [block.id, block] as const)));
    const said = ((channels?.["messages"] ?? []) as readonly Values[]).filter(({ role }) => role === "assistant").map(textOf);
    const turns = [...blocks.values()].filter(({ type, status }) => type === "AgentTurn" && status !== "pending");
    return Promise.all(
      turns.map(async ({ id: block }, i): Promise<TalkTurn> => {
        const { model, failed = [], calls = [] } = (values[block] ?? {}) as Partial<RecordedTurn>;
        return {
          at: `${id}/${block}`,
          model,
          failed: failed.map((one) => one.model),
          text: said[i],
          calls: await Promise.all(calls.map((call) => this.#readCall(call, { blocks, values }))),
        };
      }),
    );
  }

  end(): void {
    for (const { end } of this.#runs.values()) end();
    this.#runs.clear();
  }

  async #follow(id: string): Promise<Run> {
    const known = this.#runs.get(id);
    if (known) return known.run;
    const run = await this.#executor.open(id);
    // Opened twice where two readings came at the same time.
    this.#runs.get(id)?.end();
    this.#runs.set(id, { run, end: run.subscribe(this.#changed) });
    return run;
  }

  async #readCall(
    { id, tool, input, refused, block, ask }: RecordedCall,
    { blocks, values }: { readonly blocks: ReadonlyMap<string, RunView["waves"][number]["blocks"][number]>; readonly values: Values },
  ): Promise<TalkCall> {
    const decided =
      ask === undefined ? undefined : (values[ask] as { approved: boolean; input: Values; reason: string | null } | undefined);
    const asks = ask !== undefined && blocks.get(ask)?.status === "paused";
    const made = block === undefined ? undefined : blocks.get(block);
    return {
      id,
      tool,
      input: decided?.approved ? decided.input : input,
      status: asks ? "paused" : (made?.status ?? (refused !== undefined || decided?.approved === false ? "skipped" : "pending")),
      outputs: block === undefined ? undefined : (values[block] as Values | undefined),
      refused: refused ?? (decided?.approved === false ? `Not allowed${decided.reason === null ? "" : `: ${decided.reason}`}` : undefined),
      talk: made?.child !== undefined && made.type !== "ExecuteWorkflow" ? await this.read(made.child) : undefined,
    };
  }
}

function textOf({ content }: Values): string {
  if (typeof content === "string") return content;
  const parts = content as readonly { readonly type: string; readonly text?: string }[];
  return parts.flatMap(({ type, text = "" }) => (type === "text" ? [text] : [])).join("");
}
