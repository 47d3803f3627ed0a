import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Block, type Executor, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const MORE = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 40 : 1;
const RUNS = { numRuns: 30 * MORE, endOnFailure: true };
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
  /** Whether it chooses by what it gives which of the two blocks behind it runs. */
  readonly chooses: boolean;
  readonly join: "any" | "none";
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
    chooses: fc.constantFrom(false, false, false, true),
    join: fc.constantFrom("none", "none", "any"),
  }),
  { minLength: 2, maxLength: MOST_BLOCKS },
);

const SURE = "sure";

const nameOf = (index: number) => `q${(index * 7) % MOST_BLOCKS}`;

function toBlock(sketch: Sketch, index: number, plan: readonly Sketch[]): Block {
  const behind = [index + 1, index + 2].filter((other) => other < plan.length).map(nameOf);
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
    ...(sketch.chooses && behind.length === 2
      ? { next: [{ to: behind[0]!, when: `"u" in "\${blocks.${nameOf(index)}.outputs}"` }, behind[1]!] }
      : {}),
    ...(sketch.join === "any" && before.length > 0 ? { join: "any" } : {}),
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
  const ids = plan.map((_, index) => ({ block: nameOf(index), required: false }));
  // Asked last and left open, so that the run has not ended.
  const sure: Block = { id: SURE, type: "Ask", inputs: { said: "" }, dependsOn: ids };
  const whole: Workflow = { name: "whole", blocks: [...plan.map(toBlock), sure] };
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

/** A person's answer to a question, the same each time it is asked. */
function answerTo(path: string, prompt: string): string {
  let sum = 0;
  for (const character of path + prompt) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003;
  return "uvw"[sum % 3]!;
}

/** Answers until only the last question is open; gives the paths that were asked. */
async function answerAll(run: Run, changed: ReadonlyMap<string, string>): Promise<string[]> {
  const asked: string[] = [];
  for (let result = await run.settled(); result.status === "paused";) {
    const next = result.pauses.find(({ path }) => path.join() !== SURE);
    if (!next) break;
    const { id, path, prompt } = next;
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
  const plain = Object.entries(values).map(([block, outputs]) => [block, { ...outputs, execution_time_ms: 0, execution_time: 0 }] as const);
  return { status: run.getSnapshot().status, values: Object.fromEntries(plain), statuses: Object.fromEntries(statuses) };
}

/** Runs answered so at once, without a revision. */
async function fresh(plan: readonly Sketch[], changed: ReadonlyMap<string, string>) {
  const run = await executorOf(plan, []).start("whole");
  await answerAll(run, changed);
  return ending(run);
}

/** The revisions of a run: which of the answered questions gets which answer. */
const revisions = fc.array(fc.tuple(fc.nat(50), fc.constantFrom("u", "v", "w")), { minLength: 1, maxLength: 3 });

let changes = 0;

async function reviseAgainAndAgain(plan: readonly Sketch[], steps: readonly (readonly [number, string])[]): Promise<void> {
  const began: string[] = [];
  const executor = executorOf(plan, began);
  const changed = new Map<string, string>();
  const run = await executor.start("whole");
  await answerAll(run, changed);
  for (const [pick, answer] of steps) {
    const asked = (await run.answers()).filter(({ status }) => status === "answered");
    const question = asked[pick % asked.length];
    if (!question) continue;
    const preview = await run.previewRevise(question.pause!, answer);
    changed.set(`${question.path.join("/")}|${question.prompt}`, answer);
    began.length = 0;
    await run.revise(question.pause!, answer);
    const again = await answerAll(run, changed);
    changes++;
    const sure = preview.asked.filter((name) => !preview.uncertain.includes(name));
    expect(sure.filter((name) => !again.includes(name))).toEqual([]);
    // What a block asks after a question, and a workflow that may be called, is only known once it does.
    const isDoubtful = (name: string): boolean =>
      preview.uncertain.some((block) => name === block || /^[[/]/.test(name.slice(name.startsWith(block) ? block.length : name.length)));
    expect(again.filter((name) => !preview.asked.includes(name) && !isDoubtful(name))).toEqual([]);
    expect(began.filter((name) => preview.kept.includes(name))).toEqual([]);
    expect(await ending(run)).toEqual(await fresh(plan, changed));
  }
}

describe("D21: random questionnaires whose answers are changed in the same run", () => {
  test.each([
    { seed: -156113845, path: "39" },
    { seed: 1881995177, path: "45" },
    { seed: 1881995177, path: "419" },
    { seed: 249388481, path: "10" },
  ])("come to the same as if they had been answered so at once: $seed", { timeout: PATIENCE_MS }, async (known) => {
    // Only the one that failed once; those that a path is followed by are other cases of the test below.
    await fc.assert(fc.asyncProperty(sketches, revisions, reviseAgainAndAgain), { ...RUNS, ...known, numRuns: MORE });
  });

  test("come to the same as if they had been answered so at once", { timeout: PATIENCE_MS }, async () => {
    changes = 0;
    await fc.assert(fc.asyncProperty(sketches, revisions, reviseAgainAndAgain), RUNS);
    // Most of the questionnaires ask something: far fewer would mean that nothing was tried.
    expect(changes).toBeGreaterThan(20);
  });
});

describe("D21: going back through random questionnaires", () => {
  test(
    "opens one question after the other, and nothing runs again where they are answered as before",
    { timeout: PATIENCE_MS },
    async () => {
      await fc.assert(
        fc.asyncProperty(sketches, fc.nat(12), async (plan, steps) => {
          const began: string[] = [];
          const executor = executorOf(
            plan.map((sketch) => ({ ...sketch, onRevise: "keep" as const })),
            began,
          );
          const run = await executor.start("whole");
          const asked = await answerAll(run, new Map());
          const before = await ending(run);
          began.length = 0;
          for (const question of asked.toReversed().slice(0, steps)) {
            await run.back();
            expect(run.getSnapshot().pauses.map(({ path }) => path.join("/"))).toContain(question);
          }
          if (steps > asked.length) await expect(run.back()).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
          await answerAll(run, new Map());
          expect(await ending(run)).toEqual(before);
          expect(began).toEqual([]);
          expect((await executor.runs.list({ topLevel: true })).items).toHaveLength(1);
        }),
        RUNS,
      );
    },
  );
});
