import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  pause,
  success,
  type Block,
  type ChannelReducer,
  type Entry,
  type Executor,
  type ExecutorOptions,
  type Run,
  type Values,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const MORE = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 20 : 1;
/** A page goes the same way, and shows that it does in fewer. */
const RUNS = { numRuns: ("document" in globalThis ? 8 : 24) * MORE, endOnFailure: true };
const PATIENCE_MS = 60_000 * MORE;

/** Keeps the text that comes last in the alphabet. */
const latest: ChannelReducer = { reduce: (held: string | null, change: string) => (held === null || change > held ? change : held) };

const CHANNELS = {
  log: { reduce: "append" },
  n: { reduce: "sum" },
  last: { default: "nothing" },
  tags: { reduce: "union" },
  profile: { reduce: "merge" },
  latest: { reduce: "latest" },
} as const;
type Name = keyof typeof CHANNELS;
const NAMES = Object.keys(CHANNELS) as Name[];

/** One block of a random questionnaire whose blocks share channels. */
interface Sketch {
  readonly deed: "ask" | "derive" | "code";
  readonly back: readonly number[];
  readonly reads: readonly Name[];
  readonly writes: readonly Name[];
  readonly condition: boolean;
  readonly repeats: boolean;
  readonly items: number;
  /** How many blocks further on the one is to which it leads by its answer; 0 for none. */
  readonly leads: number;
  /** The same for its failure, where it derives something. */
  readonly fails: number;
  readonly meets: boolean;
}

const MOST_BLOCKS = 7;
const someNames = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 });
const sketches: fc.Arbitrary<readonly Sketch[]> = fc.array(
  fc.record<Sketch>({
    deed: fc.constantFrom("ask", "ask", "derive", "code"),
    back: fc.uniqueArray(fc.integer({ min: 1, max: MOST_BLOCKS }), { maxLength: 2 }),
    reads: someNames,
    writes: someNames,
    condition: fc.constantFrom(false, false, false, true),
    repeats: fc.constantFrom(false, false, true),
    items: fc.constantFrom(0, 0, 2),
    leads: fc.constantFrom(0, 0, 1, 2),
    fails: fc.constantFrom(0, 0, 1, 2),
    meets: fc.boolean(),
  }),
  { minLength: 2, maxLength: MOST_BLOCKS },
);

const nameOf = (index: number): string => `q${index}`;

function toBlock(sketch: Sketch, index: number, { length }: { readonly length: number }): Block {
  const id = nameOf(index);
  const target = (steps: number): string | undefined => (steps > 0 && index + steps < length ? nameOf(index + steps) : undefined);
  const handler = sketch.deed === "derive" ? target(sketch.fails) : undefined;
  // What a list gives has no way of its own.
  const follows = handler === undefined && (sketch.items === 0 || sketch.deed === "code") ? target(sketch.leads) : undefined;
  const gave = `\${blocks.${id}.outputs.gave}`;
  const changes: { readonly [name in Name]: Values[string] } = {
    log: gave,
    n: `\${blocks.${id}.metadata.iterations}`,
    last: `${id} ${gave}`,
    tags: [gave, id],
    profile: { [id]: gave, common: gave },
    latest: `${id} ${gave}`,
  };
  const isCode = sketch.deed === "code";
  return {
    id,
    type: { ask: "Ask", derive: "Derive", code: "Code" }[sketch.deed],
    // What code reads and writes of channels no text of the workflow says.
    inputs: isCode
      ? { reads: [...sketch.reads], writes: [...sketch.writes], said: "" }
      : {
          fails: handler !== undefined,
          said: `${sketch.items > 0 ? "${each.value}" : ""}${sketch.reads.map((name) => `\${channels.${name}}`).join()}`,
        },
    dependsOn: sketch.back.filter((steps) => steps <= index).map((steps) => ({ block: nameOf(index - steps), required: false })),
    ...(isCode ? {} : { writes: Object.fromEntries(sketch.writes.map((name) => [name, changes[name]])) }),
    ...(sketch.condition ? { condition: '${channels.n} < 3 or "u" in "${channels.log}"' } : {}),
    ...(sketch.repeats ? { repeatWhile: `\${blocks.${id}.metadata.iterations} < 3 and "u" in "${gave}\${channels.last}"` } : {}),
    ...(sketch.items > 0 && !isCode ? { forEach: ["i", "j"] } : {}),
    ...(follows === undefined ? {} : { next: [{ to: follows, when: `"u" not in "${gave}\${channels.last}"` }] }),
    ...(handler === undefined ? {} : { onFailure: handler }),
    ...(sketch.meets && sketch.back.some((steps) => steps <= index) ? { join: "any" } : {}),
  };
}

/** `isUndone`: each block that is no list is undone by another one. */
function workflowOf(plan: readonly Sketch[], isUndone = false): Workflow {
  const dependsOn = plan.map((_, index) => ({ block: nameOf(index), required: false }));
  const blocks = plan.map((sketch, index, all): Block => {
    const made = toBlock(sketch, index, all);
    return isUndone && made.forEach === undefined ? { ...made, compensate: `undo-${made.id}` } : made;
  });
  const undoing = blocks.flatMap(({ id, compensate }): readonly Block[] =>
    compensate === undefined
      ? []
      : [{ id: compensate, type: "Undo", inputs: { said: id }, writes: { log: compensate, n: -1, last: compensate } }],
  );
  // Asked last and left open, so that the run has not ended.
  return {
    name: "whole",
    channels: CHANNELS,
    blocks: [...blocks, ...undoing, { id: "sure", type: "Ask", inputs: { said: "" }, dependsOn }],
  };
}

const blocksOf = (began: string[]) => [
  defineBlock({
    type: "Ask",
    pure: true,
    execute: ({ block, iteration, inputs, item }) =>
      pause({ prompt: `${block} ${item?.index ?? ""} ${iteration} ${String(inputs["said"])}` }),
    resume: ({ response }) => success({ gave: response }),
  }),
  defineBlock({ type: "Undo", execute: () => success({}) }),
  defineBlock({
    type: "Derive",
    pure: true,
    execute({ inputs }) {
      const said = String(inputs["said"]);
      return inputs["fails"] === true && said.includes("u") ? failure("It says u.") : success({ gave: `= ${said}` });
    },
  }),
  defineBlock({
    type: "Code",
    execute({ inputs, block, channels }) {
      began.push(block);
      const gave = JSON.stringify((inputs["reads"] as readonly string[]).map((name) => channels.get(name)));
      const changes = { log: gave, n: 1, last: gave, tags: gave, profile: { [block]: gave }, latest: gave };
      for (const name of inputs["writes"] as readonly Name[]) channels.write(name, changes[name]);
      return success({ gave });
    },
  }),
];

function open(plan: readonly Sketch[], began: string[], more: Partial<ExecutorOptions> = {}): Executor {
  return createExecutor({
    store: memoryStore(),
    workflows: [workflowOf(plan)],
    blocks: blocksOf(began),
    reducers: { latest },
    host: fakeHost({ autoAdvance: true }),
    ...more,
  });
}

/** What a person says to a question, the same whenever it is asked. */
function answerTo(prompt: string): string {
  let sum = 0;
  for (const character of prompt) sum = (sum * 31 + character.charCodeAt(0)) % 1_000_003;
  return "uvw"[sum % 3]!;
}

async function answerAll(run: Run, changed: ReadonlyMap<string, string>): Promise<void> {
  for (let result = await run.settled(); result.status === "paused";) {
    const next = result.pauses.find(({ path }) => path.join() !== "sure");
    if (!next) return;
    result = await run.answer(next.id, changed.get(next.prompt) ?? answerTo(next.prompt));
  }
}

async function ending(run: Run) {
  const { values, channels } = await run.state();
  const statuses = run.getSnapshot().waves.flatMap(({ blocks }) => blocks.map(({ id, status }) => [id, status] as const));
  return { status: run.getSnapshot().status, values, channels, statuses: Object.fromEntries(statuses) };
}

/** A run answered so at once, without a revision, and what was recorded of it. */
async function fresh(plan: readonly Sketch[], changed: ReadonlyMap<string, string>) {
  const entries: Entry[] = [];
  const run = await open(plan, [], { onEvent: (event) => event.type === "recorded" && entries.push(event.entry) }).start("whole");
  await answerAll(run, changed);
  return { end: await ending(run), entries, run };
}

/** What channels hold by the writes in entries, on plain objects: by wave, iteration, block and item. */
function replay(plan: readonly Sketch[], run: Run, entries: readonly Entry[]) {
  const waveOf = new Map(run.getSnapshot().waves.flatMap(({ index, blocks }) => blocks.map(({ id }) => [id, index] as const)));
  const counts = new Map<string, number>();
  const all = entries.flatMap((entry) => {
    if (entry.type !== "completed" && entry.type !== "iterated") return [];
    const unit = `${entry.block} ${entry.item}`;
    const iteration = counts.get(unit) ?? 0;
    counts.set(unit, iteration + 1);
    const place = [waveOf.get(entry.block)!, iteration, plan.findIndex((_, i) => nameOf(i) === entry.block), entry.item ?? -1];
    return [{ place, writes: (entry.writes ?? {}) as { readonly [name in Name]?: readonly never[] } }];
  });
  all.sort((a, b) => a.place.map((part, i) => part - b.place[i]!).find((difference) => difference !== 0) ?? 0);
  const held = { log: [] as unknown[], n: 0, last: "nothing" as unknown, tags: [] as unknown[], profile: {}, latest: null as unknown };
  for (const { writes } of all) {
    held.log.push(...(writes.log ?? []));
    for (const change of writes.n ?? []) held.n += change;
    for (const change of writes.last ?? []) held.last = change;
    for (const change of (writes.tags ?? []).flat()) if (!held.tags.includes(change)) held.tags.push(change);
    for (const change of writes.profile ?? []) held.profile = { ...held.profile, ...(change as object) };
    held.latest = [...(held.latest === null ? [] : [held.latest]), ...(writes.latest ?? [])].toSorted().at(-1) ?? null;
  }
  return held;
}

const retentions = fc.constantFrom<NonNullable<ExecutorOptions["policy"]>>(
  {},
  { retention: "latest" },
  { retention: "windowed", window: 1 },
  { durability: "sync" },
);

test(
  "channels hold what replaying all writes on plain objects gives: at once, read again, and in a fork",
  { timeout: PATIENCE_MS },
  async () => {
    let written = 0;
    let forked = 0;
    await fc.assert(
      fc.asyncProperty(sketches, retentions, async (plan, policy) => {
        const { end, entries, run } = await fresh(plan, new Map());
        written += entries.filter((entry) => "writes" in entry).length;
        const held = replay(plan, run, entries);
        expect(end.channels).toEqual(held);
        const store = memoryStore();
        const executor = open(plan, [], { store, policy });
        const other = await executor.start("whole");
        await answerAll(other, new Map());
        await executor.close();
        const later = open(plan, [], { store, policy, host: fakeHost({ autoAdvance: true, seed: 2 }) });
        const again = await later.open(other.id);
        expect((await again.state()).channels).toEqual(held);
        const [place] = again.getSnapshot().pauses;
        if (!place) return;
        forked++;
        const fork = await later.fork(place.id);
        await fork.settled();
        expect((await fork.state()).channels).toEqual(held);
      }),
      RUNS,
    );
    // A few drawn workflows may write little: these only say that the property looked at something.
    expect(written).toBeGreaterThan(0);
    expect(forked).toBeGreaterThan(0);
  },
);

const revisions = fc.array(fc.tuple(fc.nat(50), fc.constantFrom("u", "v", "w")), { minLength: 1, maxLength: 3 });

/** The answered question of a run that a step of a property changes. */
async function pickQuestion(run: Run, [pick]: readonly [number, string]) {
  const asked = (await run.answers()).filter(({ status }) => status === "answered");
  return asked[pick % asked.length];
}

describe("random questionnaires with channels, loops and branches, whose answers are changed in the same run", () => {
  test("come to the same as if they had been answered so at once", { timeout: PATIENCE_MS }, async () => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(sketches, revisions, async (plan, steps) => {
        const began: string[] = [];
        const changed = new Map<string, string>();
        const run = await open(plan, began).start("whole");
        await answerAll(run, changed);
        for (const step of steps) {
          const question = await pickQuestion(run, step);
          if (!question) continue;
          const [, answer] = step;
          const preview = await run.previewRevise(question.pause!, answer);
          began.length = 0;
          changed.set(question.prompt!, answer);
          await run.revise(question.pause!, answer);
          await answerAll(run, changed);
          changes++;
          expect(began.filter((name) => preview.kept.includes(name))).toEqual([]);
          expect(await ending(run)).toEqual((await fresh(plan, changed)).end);
        }
      }),
      RUNS,
    );
    expect(changes).toBeGreaterThan(0);
  });

  test("undo all that has happened where they are cancelled, last first, and channels show it", { timeout: PATIENCE_MS }, async () => {
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(sketches, revisions, async (plan, steps) => {
        const entries: Entry[] = [];
        const onEvent: ExecutorOptions["onEvent"] = (event) => event.type === "recorded" && entries.push(event.entry);
        const run = await open(plan, [], { workflows: [workflowOf(plan, true)], onEvent }).start("whole");
        await answerAll(run, new Map());
        for (const step of steps) {
          const question = await pickQuestion(run, step);
          if (!question) continue;
          await run.revise(question.pause!, step[1]);
          await answerAll(run, new Map([[question.prompt!, step[1]]]));
        }
        const before = (await run.state()).channels as unknown as ReturnType<typeof replay>;
        const isUndone = new Set(workflowOf(plan, true).blocks.flatMap(({ id, compensate }) => (compensate === undefined ? [] : [id])));
        const done = entries.flatMap((entry) => (entry.type === "completed" && isUndone.has(entry.block) ? [entry.block] : []));
        await run.cancel();
        const expected = done.toReversed().map((id) => `undo-${id}`);
        undone += expected.length;
        const after = entries.slice(entries.findIndex(({ type }) => type === "compensating"));
        expect(after.flatMap((entry) => (entry.type === "completed" ? [entry.block] : []))).toEqual(expected);
        expect((await run.state()).channels).toEqual({
          ...before,
          log: [...before.log, ...expected],
          n: before.n - expected.length,
          last: expected.at(-1) ?? before.last,
        });
        expect(run.getSnapshot().status).toBe("cancelled");
      }),
      RUNS,
    );
    expect(undone).toBeGreaterThan(0);
  });
});
