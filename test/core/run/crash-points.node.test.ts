import { describe, expect, test } from "vitest";
import {
  createExecutor,
  defineBlock,
  isWorkflowError,
  pause,
  success,
  type Block,
  type CheckpointPolicy,
  type Pause,
  type Run,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost, type FakeHost } from "wavepoint/testing";
import { stopAt, stopPoints, type StopPoint } from "../../crash-points/stop-at.ts";

const HOUR_MS = 3_600_000;

/** What happens to a run, as often as a process takes it up. What was done before is not done again. */
interface Play {
  readonly workflows: readonly Workflow[];
  act(run: Run, host: FakeHost): Promise<void>;
  /** Whether a crash may add entries of its own: a question about what was interrupted. */
  readonly asksAfterCrash?: true;
}

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const call = (workflow: string): Block => ({ id: "call", type: "ExecuteWorkflow", inputs: { workflow } });

const find = (run: Run, prompt: string): Pause | undefined => run.getSnapshot().pauses.find((open) => open.prompt === prompt);

async function wait(run: Run, host: FakeHost): Promise<void> {
  await host.advance(HOUR_MS);
  await run.settled();
  // A run that failed is left as it is.
  if (find(run, "first?")) await run.resume();
}

async function answer(run: Run, prompt: string, response: Value): Promise<void> {
  const open = find(run, prompt);
  if (open) await run.answer(open.id, response);
}

function inTime(onTimeout: NonNullable<Block["onTimeout"]>, nested: boolean): Play {
  const flow: Workflow = {
    name: nested ? "inner" : "flow",
    blocks: [ask("first", { answerTimeoutMs: HOUR_MS, onTimeout }), ask("next", { dependsOn: [{ block: "first", required: false }] })],
    outputs: { first: "${blocks.first.input_value}", next: "${blocks.next.input_value}" },
  };
  const outer: Workflow = { name: "flow", blocks: [call("inner")], outputs: { next: "${blocks.call.next}" } };
  return {
    workflows: nested ? [flow, outer] : [flow],
    async act(run, host) {
      if (find(run, "first?")) await wait(run, host);
      await answer(run, "next?", "me");
    },
  };
}

const optional = defineBlock({
  type: "Optional",
  takesDecline: true,
  execute: () => pause({ prompt: "more?" }),
  resume: ({ response, action }) => success({ said: action ?? String(response) }),
});

function declining(action: "decline" | "cancel", nested: boolean): Play {
  const flow: Workflow = {
    name: nested ? "inner" : "flow",
    blocks: [{ id: "more", type: "Optional" }, ask("other"), ask("next", { dependsOn: ["more"] })],
    outputs: { said: "${blocks.more.said}" },
  };
  const middle: Workflow = { name: "middle", blocks: [call("inner")], outputs: { said: "${blocks.call.said}" } };
  const outer: Workflow = { name: "flow", blocks: [call("middle")], outputs: { said: "${blocks.call.said}" } };
  return {
    workflows: nested ? [flow, middle, outer] : [flow],
    async act(run) {
      const open = find(run, "more?");
      if (open) await run.decline(open.id, { action });
      await answer(run, "other?", "o");
      await answer(run, "next?", "n");
    },
  };
}

const drafting: Play = {
  workflows: [{ name: "flow", blocks: [ask("first"), ask("next", { dependsOn: ["first"] })] }],
  async act(run) {
    for (const prompt of ["first?", "next?"]) {
      const open = find(run, prompt);
      if (!open) continue;
      for (const draft of ["A", "Ad"]) await run.saveDraft(open.id, draft);
      await run.answer(open.id, "Ada");
    }
  },
};

const careful: Play = {
  workflows: [
    {
      name: "flow",
      blocks: [
        { id: "charge", type: "Charge", effect: "once" },
        { id: "each", type: "Charge", effect: "once", forEach: [1, 2], dependsOn: ["charge"] },
        ask("next", { dependsOn: ["each"] }),
      ],
    },
  ],
  asksAfterCrash: true,
  async act(run) {
    for (;;) {
      const unsure = run.getSnapshot().pauses.find(({ prompt }) => prompt.includes("must not run twice"));
      if (!unsure) break;
      await run.answer(unsure.id, { outcome: "done" });
    }
    await answer(run, "next?", "n");
  },
};

const PLAYS: readonly (readonly [string, Play])[] = [
  ["a question whose time is up fails", inTime("fail", false)],
  ["a question whose time is up is skipped", inTime("skip", false)],
  ["a question whose time is up is answered", inTime({ answer: "no name" }, false)],
  ["a question of a called workflow whose time is up fails", inTime("fail", true)],
  ["a question of a called workflow whose time is up is skipped", inTime("skip", true)],
  ["a question of a called workflow whose time is up is answered", inTime({ answer: "no name" }, true)],
  ["a question is declined", declining("decline", false)],
  ["a question is cancelled", declining("cancel", false)],
  ["a question two calls deep is declined", declining("decline", true)],
  ["a question two calls deep is cancelled", declining("cancel", true)],
  ["drafts are saved", drafting],
  ["blocks must not run twice", careful],
];

interface Process {
  readonly store: Store;
  readonly host: FakeHost;
  readonly charged: string[];
}

/** A process that takes the run up, or starts it, and plays. */
async function live({ workflows, act }: Play, { store, host, charged }: Process, policy: CheckpointPolicy): Promise<void> {
  const charge = defineBlock({
    type: "Charge",
    execute: ({ idempotencyKey }) => {
      charged.push(idempotencyKey.slice(idempotencyKey.indexOf("/")));
      return success({});
    },
  });
  const executor = createExecutor({ store, workflows, blocks: [optional, charge], host, policy });
  const [head] = (await store.runs({ topLevel: true })).items;
  const run = head ? await executor.open(head.id) : await executor.start("flow");
  if (head?.status === "running" || head?.status === "paused") await run.resume();
  else if (!head) await run.settled();
  await act(run, host);
  await executor.close();
}

/** All runs as they were left: their ends, and what is in their journals but times. */
async function left(store: Store): Promise<readonly unknown[]> {
  const { items } = await store.runs();
  const runs = items.map(async ({ id, workflow, status, pauses }) => ({
    workflow,
    status,
    open: pauses.map(({ prompt }) => prompt),
    drafts: (await store.notes(id, "draft.")).map(({ key }) => key),
    entries: (await store.read(id)).map(canonical).filter((entry) => entry !== undefined),
  }));
  return (await Promise.all(runs)).toSorted((a, b) => (a.workflow < b.workflow ? -1 : 1));
}

function canonical(text: string): unknown {
  const {
    type,
    block,
    item,
    pause: number,
    response,
    action,
    by,
    outputs,
    error,
    status,
    prompt,
    reason,
  } = JSON.parse(text) as {
    readonly [member: string]: unknown;
  };
  // What was interrupted by a crash depends on the moment.
  if (type === "recovered") return undefined;
  const entry = { type, block, item, number, response, action, by, outputs: outputs && timeless(outputs), status, prompt, reason };
  return { ...entry, code: (error as { code?: string } | undefined)?.code };
}

function timeless(outputs: unknown): unknown {
  return JSON.parse(JSON.stringify(outputs, (key, value: unknown) => (key.endsWith("_ms") ? 0 : value)));
}

async function play(one: Play, policy: CheckpointPolicy, point?: StopPoint) {
  const store = memoryStore();
  const charged: string[] = [];
  const doomed = stopAt(store, point);
  const host = fakeHost({ seed: 1 });
  try {
    await live(one, { store: doomed.store, host, charged }, policy);
  } catch (error) {
    if (!isWorkflowError(error) || !doomed.isReached()) throw error;
  }
  await doomed.quiet();
  if (doomed.isReached()) await live(one, { store, host: fakeHost({ seed: 2, startAt: host.now() }), charged }, policy);
  return { runs: await left(store), charged, writes: doomed.writes(), isReached: doomed.isReached() };
}

const POLICIES: readonly CheckpointPolicy[] = [{ durability: "sync" }, { durability: "async" }];

const isLong = process.env.WAVEPOINT_LONG !== undefined;

describe.each(PLAYS)("D5: the process dies at any write while %s", (_, one) => {
  test.each(POLICIES)("%j", async (policy) => {
    const whole = await play(one, policy);
    let points = 0;
    // What is written is the same under both; in the background, the short tier tries every third place.
    const isThorough = isLong || policy.durability === "sync";
    for (const place of stopPoints(whole.writes).filter((_, i) => isThorough || i % 3 === 0)) {
      const broken = await play(one, policy, place);
      if (!one.asksAfterCrash) expect({ place, runs: broken.runs }).toEqual({ place, runs: whole.runs });
      else expect({ place, ends: ends(broken.runs) }).toEqual({ place, ends: ends(whole.runs) });
      // What must not happen twice has not.
      expect({ place, charged: broken.charged }).toEqual({ place, charged: [...new Set(broken.charged)] });
      if (broken.isReached) points += 1;
    }
    expect(points).toBeGreaterThan(isThorough ? 3 : 1);
  });
});

function ends(runs: readonly unknown[]): readonly unknown[] {
  return (runs as readonly { workflow: string; status: string; open: readonly string[] }[]).map(({ workflow, status, open }) => ({
    workflow,
    status,
    open,
  }));
}
