import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Block, type Executor, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const MORE = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 20 : 1;
const RUNS = { numRuns: 60 * MORE, endOnFailure: true };
const PATIENCE_MS = 60_000 * MORE;

/** One block of a random questionnaire. */
interface Sketch {
  readonly deed: "ask" | "ask" | "ask twice" | "derive" | "work" | "call";
  readonly back: readonly number[];
  /** Whether it says something of the first block it depends on, and so changes with it. */
  readonly refers: boolean;
  readonly condition: "none" | "none" | "u" | "not u";
  readonly items: number;
  readonly onRevise: "keep" | "review" | "ask_again";
}

const MOST_BLOCKS = 9;

const sketches: fc.Arbitrary<readonly Sketch[]> = fc.array(
  fc.record<Sketch>({
    deed: fc.constantFrom("ask", "ask", "ask", "ask twice", "derive", "work", "call"),
    back: fc.uniqueArray(fc.integer({ min: 1, max: MOST_BLOCKS }), { maxLength: 3 }),
    refers: fc.boolean(),
    condition: fc.constantFrom("none", "none", "none", "u", "not u"),
    items: fc.constantFrom(0, 0, 0, 2),
    onRevise: fc.constantFrom("keep", "keep", "keep", "review", "ask_again"),
  }),
  { minLength: 2, maxLength: MOST_BLOCKS },
);

const nameOf = (index: number) => `q${(index * 7) % MOST_BLOCKS}`;

function toBlock(sketch: Sketch, index: number): Block {
  const before = sketch.back.map((steps) => index - steps).filter((other) => other >= 0);
  const [first] = before;
  const said = first === undefined || !sketch.refers ? "" : `= \${blocks.${nameOf(first)}.outputs}`;
  const each = sketch.items > 0 ? "${each.value}" : "";
  const types = { ask: "Ask", "ask twice": "AskTwice", derive: "Derive", work: "Toil", call: "ExecuteWorkflow" } as const;
  const inputs = { said: `${said}${each}` };
  return {
    id: nameOf(index),
    type: types[sketch.deed],
    inputs: sketch.deed === "call" ? { workflow: "inner", inputs } : inputs,
    dependsOn: before.map((other) => ({ block: nameOf(other), required: false })),
    onRevise: sketch.onRevise,
    ...(sketch.items > 0 ? { forEach: ["i", "j"] } : {}),
    ...(first === undefined || sketch.condition === "none"
      ? {}
      : { condition: `${sketch.condition === "u" ? "" : "not "}"u" in "\${blocks.${nameOf(first)}.outputs}"` }),
  };
}

const inner: Workflow = {
  name: "inner",
  inputs: { said: { type: "string" } },
  blocks: [
    { id: "one", type: "Ask", inputs: { said: "" } },
    { id: "two", type: "Ask", inputs: { said: "${inputs.said}" }, dependsOn: ["one"] },
    { id: "made", type: "Toil", inputs: { said: "${blocks.two.answer}" }, dependsOn: ["two"] },
  ],
  outputs: { one: "${blocks.one.answer}", two: "${blocks.made.did}" },
};

function executorOf(plan: readonly Sketch[], began: string[], store: Store = memoryStore()): Executor {
  const whole: Workflow = { name: "whole", blocks: plan.map(toBlock) };
  const promptOf = (block: string, said: unknown, turn: number) => `${block} ${turn} ${String(said)}`;
  const blocks = [
    defineBlock({
      type: "Ask",
      pure: true,
      execute: ({ block, inputs }) => pause({ prompt: promptOf(block, inputs["said"], 1) }),
      resume: ({ response }) => success({ answer: response }),
    }),
    defineBlock({
      type: "AskTwice",
      execute: ({ block, inputs }) => pause({ prompt: promptOf(block, inputs["said"], 1) }),
      resume: ({ block, inputs, response, pause: { metadata } }) =>
        "first" in metadata
          ? success({ answer: `${String(metadata["first"])}${String(response)}` })
          : pause({ prompt: promptOf(block, `${String(inputs["said"])}${String(response)}`, 2), metadata: { first: response } }),
    }),
    defineBlock({ type: "Derive", pure: true, execute: ({ inputs }) => success({ did: inputs["said"] }) }),
    defineBlock({
      type: "Toil",
      execute: ({ block, inputs, item }) => {
        began.push(item ? `${block}[${item.index}]` : block);
        return success({ did: `did ${String(inputs["said"])}` });
      },
    }),
  ];
  return createExecutor({ store, host: fakeHost({ autoAdvance: true }), workflows: [inner, whole], blocks });
}

/** What somebody says to a question, the same whenever it is asked. */
function answerTo(path: string, prompt: string): string {
  let sum = 0;
  for (const character of path + prompt) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003;
  return "uvw"[sum % 3]!;
}

/** Answers until nothing is asked any more; gives the paths that were asked. */
async function answerAll(run: Run, changed: ReadonlyMap<string, string>): Promise<string[]> {
  const asked: string[] = [];
  for (let result = await run.settled(); result.status === "paused";) {
    const [{ id, path, prompt }] = result.pauses as [(typeof result.pauses)[number]];
    const name = path.join("/");
    asked.push(name);
    result = await run.answer(id, changed.get(`${name}|${prompt}`) ?? answerTo(name, prompt));
  }
  return asked;
}

/** What a run came to: its blocks' outputs, and whether they ran. */
async function ending(run: Run) {
  const { values } = await run.state();
  const statuses = run.getSnapshot().waves.flatMap(({ blocks }) => blocks.map(({ id, status }) => [id, status] as const));
  const plain = Object.entries(values).map(([block, outputs]) => [block, { ...outputs, execution_time_ms: 0 }] as const);
  return { status: run.getSnapshot().status, values: Object.fromEntries(plain), statuses: Object.fromEntries(statuses) };
}

/** All that is stored of every run. */
async function bytesOf(store: Store): Promise<ReadonlyMap<string, unknown>> {
  const { items } = await store.runs({ limit: 1_000 });
  const runs = items.map(async (head) => [head.id, [head, await store.read(head.id), await store.notes(head.id)]] as const);
  return new Map(await Promise.all(runs));
}

describe("D12: forks of random questionnaires", () => {
  test(
    "come to the same, revised again and again, as if they had been answered so at once; their sources stay as they are",
    { timeout: PATIENCE_MS },
    async () => {
      let changes = 0;
      await fc.assert(
        fc.asyncProperty(
          sketches,
          fc.array(fc.tuple(fc.nat(50), fc.constantFrom("u", "v", "w")), { minLength: 1, maxLength: 3 }),
          async (plan, steps) => {
            const began: string[] = [];
            const store = memoryStore();
            const executor = executorOf(plan, began, store);
            const changed = new Map<string, string>();
            const runs: Run[] = [await executor.start("whole")];
            await answerAll(runs[0]!, changed);
            for (const [pick, answer] of steps) {
              const run = runs.at(-1)!;
              const asked = (await run.answers()).filter(({ status }) => status === "answered");
              const question = asked[pick % asked.length];
              if (!question) continue;
              const before = await bytesOf(store);
              const preview = await run.previewRevise(question.pause!, answer);
              changed.set(`${question.path.join("/")}|${question.prompt}`, answer);
              began.length = 0;
              const revised = await run.revise(question.pause!, answer);
              const again = await answerAll(revised, changed);
              changes++;
              const stored = await bytesOf(store);
              for (const [id, bytes] of before) expect(stored.get(id)).toEqual(bytes);
              const fresh = await executorOf(plan, []).start("whole");
              await answerAll(fresh, changed);
              expect(await ending(revised)).toEqual(await ending(fresh));
              const sure = new Set(preview.asked.filter((name) => !preview.uncertain.includes(name)));
              expect(new Set([...sure].filter((name) => !again.includes(name)))).toEqual(new Set());
              // What a block asks after a question, and a workflow that may be called, is only known once it does.
              const doubtful = (name: string): boolean =>
                preview.uncertain.some(
                  (block) => name === block || /^[[/]/.test(name.slice(name.startsWith(block) ? block.length : name.length)),
                );
              const told = (name: string): boolean => preview.asked.includes(name) || doubtful(name);
              expect(again.filter((name) => !told(name))).toEqual([]);
              expect(began.filter((name) => preview.kept.includes(name))).toEqual([]);
              runs.push(revised);
            }
          },
        ),
        RUNS,
      );
      expect(changes).toBeGreaterThan(50);
    },
  );

  test("go back question by question, and forward again without a question", { timeout: PATIENCE_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(sketches, fc.nat(12), async (plan, steps) => {
        const began: string[] = [];
        const store = memoryStore();
        const executor = executorOf(
          plan.map((sketch) => ({ ...sketch, onRevise: "keep" as const })),
          began,
          store,
        );
        const run = await executor.start("whole");
        const asked = await answerAll(run, new Map());
        const before = await bytesOf(store);
        began.length = 0;
        let here: Run = run;
        const way = asked.toReversed().slice(0, steps);
        for (const question of way) {
          here = await here.back();
          expect(here.getSnapshot().pauses.map(({ path }) => path.join("/"))).toContain(question);
        }
        const last = way.at(-1);
        if (last !== undefined) {
          const { id, path, prompt } = here.getSnapshot().pauses.find(({ path }) => path.join("/") === last)!;
          await here.answer(id, answerTo(path.join("/"), prompt));
        } else if (steps > 0) await expect(run.back()).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
        expect(await ending(here)).toEqual(await ending(run));
        expect(began).toEqual([]);
        const stored = await bytesOf(store);
        for (const [id, bytes] of before) expect(stored.get(id)).toEqual(bytes);
      }),
      RUNS,
    );
  });
});
