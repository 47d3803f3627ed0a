import type { CheckpointPolicy, Executor, Run, RunView, Workflow } from "wavepoint";

/** Starts a process of its own. */
export type OpenProcess = (...workflows: readonly Workflow[]) => Executor;

export interface GoldenCase {
  readonly name: string;
  readonly workflows: readonly Workflow[];
  readonly policy?: CheckpointPolicy;
  /** Leaves a run as it will be found; gives its id. */
  write(open: OpenProcess): Promise<string>;
  /** Goes on with what was found, to its end. */
  goOn(run: Run, executor: Executor): Promise<unknown>;
}

async function begin(open: OpenProcess, workflows: readonly Workflow[]): Promise<Run> {
  const run = await open(...workflows).start(workflows[0]!, {}, { id: workflows[0]!.name });
  await run.settled();
  return run;
}

/** Resolves when the run looks so. */
function until(run: Run, looks: (view: RunView) => boolean): Promise<void> {
  return new Promise((resolve) => {
    run.subscribe((view) => {
      if (looks(view)) resolve();
    });
  });
}

/** Resolves when so many entries of the run are stored. */
async function untilStored(executor: Executor, { id }: Run, entries: number): Promise<void> {
  const isStored = async (): Promise<boolean> =>
    (await executor.runs.list()).items.some((head) => head.id === id && head.entries >= entries);
  while (!(await isStored())) await new Promise((resolve) => setTimeout(resolve));
}

/** Answers one question after another, by the names of the blocks that ask. */
async function answer(run: Run, answers: { readonly [block: string]: unknown }): Promise<void> {
  for (const [block, response] of Object.entries(answers)) {
    const pause = run.getSnapshot().pauses.find(({ path }) => path.join("/") === block);
    if (pause) await run.answer(pause.id, response as never);
  }
}

const values: Workflow = {
  name: "values",
  inputs: { city: { type: "string", default: "Rome" } },
  blocks: [
    { id: "values", type: "Values" },
    { id: "no", type: "Work", condition: "1 == 2" },
    { id: "neither", type: "Work", dependsOn: ["no"] },
    { id: "lame", type: "Work", inputs: { fails: 9 }, continueOnError: true },
    { id: "count", type: "Count", dependsOn: ["values"] },
  ],
  outputs: { city: "${inputs.city}", values: "${blocks.values.outputs}", count: "${blocks.count.count}", lame: "${blocks.lame.failed}" },
};

const questions: Workflow = {
  name: "questions",
  blocks: [
    { id: "who", type: "GetInput", inputs: { prompt: "Who?" } },
    { id: "late", type: "Ask", answerTimeoutMs: 5_000, onTimeout: { answer: "nobody" } },
    { id: "never", type: "Ask", answerTimeoutMs: 5_000, onTimeout: "skip" },
    { id: "declined", type: "Ask", continueOnError: true },
    { id: "sure", type: "ConfirmOperation", dependsOn: ["who"], inputs: { message: "Send it to ${blocks.who.input_value}?" } },
  ],
  outputs: { late: "${blocks.late.answer}", sure: "${blocks.sure.confirmed}" },
};

const words: Workflow = {
  name: "words",
  blocks: [
    { id: "word", type: "Picky" },
    { id: "wood", type: "AskChoice", inputs: { question: "Which wood?", choices: ["oak", "ash"] } },
    { id: "sure", type: "ConfirmOperation", dependsOn: ["wood"], inputs: { message: "Is it ${blocks.wood.choice}?" } },
  ],
  outputs: { word: "${blocks.word.word}", wood: "${blocks.wood.choice}", sure: "${blocks.sure.confirmed}" },
};

const items: Workflow = {
  name: "items",
  blocks: [
    { id: "each", type: "Ask", forEach: { a: 1, b: 2, c: 3 }, inputs: { prompt: "${each.key}?" } },
    { id: "nap", type: "Nap", inputs: { ms: 1_000 } },
    { id: "try", type: "Work", inputs: { fails: 1 }, retry: { maxAttempts: 3, delayMs: 1_000 } },
    { id: "end", type: "Work", dependsOn: ["each", "nap", "try"], inputs: { value: "${blocks.each.results}" } },
  ],
  outputs: { all: "${blocks.end.value}", tries: "${blocks.try.attempt}" },
};

const leaf: Workflow = {
  name: "leaf",
  inputs: { what: { type: "string" } },
  blocks: [
    { id: "first", type: "Ask", inputs: { prompt: "First of ${inputs.what}?" } },
    { id: "second", type: "Ask", inputs: { prompt: "Second of ${inputs.what}?" } },
  ],
  outputs: { pair: "${blocks.first.answer} ${blocks.second.answer}" },
};
const calls: Workflow = {
  name: "calls",
  blocks: [
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "leaf", inputs: { what: "one" } } },
    { id: "each", type: "ExecuteWorkflow", forEach: ["x"], inputs: { workflow: "leaf", inputs: { what: "${each.value}" } } },
  ],
  outputs: { pair: "${blocks.call.pair}" },
};

const failed: Workflow = {
  name: "failed",
  blocks: [
    { id: "done", type: "Work", inputs: { value: 1 } },
    { id: "broken", type: "Work", inputs: { fails: 9 }, dependsOn: ["done"] },
  ],
  outputs: { value: "${blocks.done.value}" },
};

const cancelled: Workflow = {
  name: "cancelled",
  blocks: [
    { id: "done", type: "Work" },
    { id: "hang", type: "Hang", dependsOn: ["done"] },
  ],
};

const kept: Workflow = {
  name: "kept",
  blocks: [
    { id: "one", type: "Values" },
    { id: "two", type: "Ask", dependsOn: ["one"], forEach: ["a", "b"] },
    { id: "three", type: "Ask", dependsOn: ["two"] },
  ],
  outputs: { one: "${blocks.one.few}", two: "${blocks.two.results}", three: "${blocks.three.answer}" },
};

const charge: Workflow = {
  name: "charge",
  blocks: [{ id: "charge", type: "Charge" }],
  outputs: { charged: "${blocks.charge.charged}" },
};

const before: Workflow = {
  name: "moved",
  blocks: [
    { id: "old", type: "Work", inputs: { value: "kept" } },
    { id: "ask", type: "Ask", dependsOn: ["old"] },
  ],
};
const after: Workflow = {
  name: "moved",
  inputs: { city: { type: "string", default: "Rome" } },
  blocks: [
    { id: "extra", type: "Work" },
    { id: "new", type: "Work", inputs: { value: "other" } },
    { id: "ask", type: "Ask", dependsOn: ["new"] },
  ],
  outputs: { kept: "${blocks.new.value}", said: "${blocks.ask.answer}", city: "${inputs.city}" },
};

const revised: Workflow = {
  name: "revised",
  blocks: [
    { id: "first", type: "Ask" },
    { id: "second", type: "Ask", dependsOn: ["first"] },
    { id: "third", type: "Ask", dependsOn: ["second"] },
  ],
  outputs: { all: "${blocks.first.answer} ${blocks.second.answer} ${blocks.third.answer}" },
};

const transferred: Workflow = { name: "transferred", blocks: [{ id: "ask", type: "Ask" }], outputs: { said: "${blocks.ask.answer}" } };
const returned: Workflow = { ...transferred, name: "returned" };

/** Runs that together have every entry, and what else a store keeps beside them. */
export const GOLDEN_CASES: readonly GoldenCase[] = [
  {
    name: "values",
    workflows: [values],
    write: async (open) => (await begin(open, [values])).id,
    goOn: async (run) => run.settled(),
  },
  {
    name: "questions",
    workflows: [questions],
    async write(open) {
      const run = await begin(open, [questions]);
      // Two of the four end by themselves.
      await until(run, ({ pauses }) => pauses.length === 2);
      const [who, declined] = run.getSnapshot().pauses;
      await run.decline(declined!.id);
      await run.saveDraft(who!.id, "Ad");
      return run.id;
    },
    async goOn(run) {
      await answer(run, { who: "Ada" });
      await answer(run, { sure: "yes" });
      return run.settled();
    },
  },
  {
    name: "words",
    workflows: [words],
    async write(open) {
      const run = await begin(open, [words]);
      await answer(run, { word: "ripple", wood: "2" });
      return run.id;
    },
    async goOn(run) {
      await answer(run, { word: "wave" });
      await answer(run, { sure: "yes" });
      return run.settled();
    },
  },
  {
    name: "items",
    workflows: [items],
    async write(open) {
      const run = await begin(open, [items]);
      await answer(run, { "each[1]": "B" });
      return run.id;
    },
    async goOn(run) {
      await answer(run, { "each[0]": "A", "each[2]": "C" });
      return run.settled();
    },
  },
  {
    name: "calls",
    workflows: [calls, leaf],
    async write(open) {
      const run = await begin(open, [calls, leaf]);
      await answer(run, { "call/first": "1" });
      return run.id;
    },
    async goOn(run) {
      await answer(run, { "call/second": "2", "each[0]/first": "3", "each[0]/second": "4" });
      return run.settled();
    },
  },
  {
    name: "failed",
    workflows: [failed],
    async write(open) {
      const run = await begin(open, [failed]);
      await run.resume();
      return run.id;
    },
    goOn: (run) => run.resume(),
  },
  {
    name: "cancelled",
    workflows: [cancelled],
    async write(open) {
      const executor = open(cancelled);
      const run = await executor.start("cancelled", {}, { id: "cancelled" });
      await until(run, ({ waves }) => waves[1]!.blocks[0]!.status === "running");
      await run.cancel({ reason: "enough." });
      await executor.checkpoints.delete(`chk_${run.id.slice("run_".length)}.0`);
      return run.id;
    },
    goOn: (run) => run.resume(),
  },
  {
    name: "latest",
    workflows: [{ ...kept, name: "latest", blocks: [{ id: "one", type: "Work" }, ...kept.blocks.slice(1)], outputs: {} }],
    policy: { retention: "latest" },
    async write(open) {
      const run = await begin(open, this.workflows);
      await answer(run, { "two[0]": "A" });
      return run.id;
    },
    async goOn(run) {
      await answer(run, { "two[1]": "B" });
      await answer(run, { three: "C" });
      return run.settled();
    },
  },
  {
    name: "windowed",
    workflows: [{ ...kept, name: "windowed" }],
    policy: { retention: "windowed", window: 1 },
    async write(open) {
      const run = await begin(open, this.workflows);
      await answer(run, { "two[0]": "A", "two[1]": "B" });
      return run.id;
    },
    async goOn(run) {
      await answer(run, { three: "C" });
      return run.settled();
    },
  },
  {
    name: "charge",
    workflows: [charge],
    async write(open) {
      const first = open(charge);
      const run = await first.start("charge", {}, { id: "charge" });
      await untilStored(first, run, 2);
      await first.close();
      await (await open(charge).open(run.id)).resume();
      return run.id;
    },
    async goOn(run) {
      await answer(run, { charge: { outcome: "done", outputs: { charged: "it seems" } } });
      return run.settled();
    },
  },
  {
    name: "moved",
    workflows: [after],
    async write(open) {
      await begin(open, [before]);
      const run = await open(after).open("moved");
      await run.resume({ definition: "latest" });
      return run.id;
    },
    async goOn(run) {
      await answer(run, { ask: "moved" });
      return run.settled();
    },
  },
  {
    name: "revised",
    workflows: [revised],
    async write(open) {
      const run = await begin(open, [revised]);
      await answer(run, { first: "1" });
      await answer(run, { second: "2" });
      await run.revise(`pause_${run.id.slice("run_".length)}.0`, "one");
      return run.id;
    },
    async goOn(run) {
      await answer(run, { third: "3" });
      return run.settled();
    },
  },
  {
    name: "transferred",
    workflows: [transferred],
    async write(open) {
      const run = await begin(open, [transferred]);
      await open(transferred).runs.transfer(run.id, { to: "the other shore" });
      return run.id;
    },
    goOn: (run) => run.resume().catch((error: { readonly code?: string }) => error.code),
  },
  {
    name: "returned",
    workflows: [returned],
    async write(open) {
      const run = await begin(open, [returned]);
      const executor = open(returned);
      const file = await executor.runs.transfer(run.id, { to: "the other shore" });
      await executor.runs.import(file);
      return run.id;
    },
    async goOn(run) {
      await answer(run, { ask: "back" });
      return run.settled();
    },
  },
];

/** What the encrypted golden store was made with. */
export const GOLDEN_KEY: Uint8Array = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
