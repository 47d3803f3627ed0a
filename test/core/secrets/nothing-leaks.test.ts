import { describe, expect, test } from "vitest";
import { createExecutor, isWorkflowError } from "wavepoint";
import type { BlockType, Executor, ExecutorOptions, Run, RunEvent, RunView, Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { CANARY, leaksIn } from "./canary.ts";
import { leakyBlocks, leakyWorkflow, listeningStore, seen } from "./spill.ts";

/** An executor that notes everything that anybody outside can see. */
function watched(options: { readonly [Name in keyof ExecutorOptions]?: ExecutorOptions[Name] | undefined } = {}): {
  readonly executor: Executor;
  /** All of it, as text. */
  told(): string;
  readonly events: RunEvent[];
  note(value: unknown): void;
} {
  const { store, texts } = listeningStore(options.store ?? memoryStore());
  const events: RunEvent[] = [];
  const notes: string[] = [];
  const executor = createExecutor({
    blocks: leakyBlocks,
    host: fakeHost({ autoAdvance: true }),
    secrets: () => CANARY,
    onEvent: (event) => events.push(event),
    ...(options as Partial<ExecutorOptions>),
    store,
  });
  return {
    executor,
    events,
    note: (value) => notes.push(textOf(value)),
    told: () => [...texts, ...notes, textOf(events), ...outputOf(events)].join("\n"),
  };
}

/** A value as JSON, with what JSON lacks written out. */
function textOf(value: unknown): string {
  if (value instanceof Error) return `${value.message} ${value.stack} ${JSON.stringify(value)}`;
  return JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Map || member instanceof Set) return [...(member as Iterable<unknown>)];
    if (member instanceof ArrayBuffer) return new TextDecoder().decode(member);
    if (ArrayBuffer.isView(member)) return new TextDecoder().decode(member);
    return member;
  });
}

/** What blocks wrote, put together again. */
function outputOf(events: readonly RunEvent[]): string[] {
  const streams = new Map<string, string>();
  for (const event of events) {
    if (event.type === "output") streams.set(event.stream + event.block, (streams.get(event.stream + event.block) ?? "") + event.text);
  }
  return [...streams.values()];
}

async function lookEverywhere({ executor, note }: ReturnType<typeof watched>, run: Run): Promise<void> {
  note(run.getSnapshot());
  note(await run.steps());
  note((await executor.runs.list()).items);
  for (const { id } of (await executor.checkpoints.list()).items) note(await executor.checkpoints.get(id));
}

describe("S10: a secret that a block lets out", () => {
  test.each(leakyBlocks.map(({ type }) => type))("is masked in everything that leaves: %s", async (type) => {
    seen.length = 0;
    const world = watched();
    const run = await world.executor.start(leakyWorkflow(type));
    const views: RunView[] = [];
    run.subscribe((view) => views.push(view));
    let result = await run.settled();
    await lookEverywhere(world, run);
    if (result.status === "paused") {
      world.note(await run.answer(result.pauses[0]!.id, `wrong ${CANARY}`));
      result = await run.answer(result.pauses[0]!.id, CANARY);
      world.note(await run.answer(result.pauses?.[0]?.id ?? world.events.length.toString(), "x").catch((error: unknown) => error));
    }
    world.note(result);
    world.note(views);
    await lookEverywhere(world, run);
    expect(result.status).toBe("success");
    expect(seen).toContain(CANARY);
    expect(result.outputs).toMatchObject({ b: "ran: ***" });
    expect(world.told()).toContain("***");
    expect(leaksIn(world.told())).toEqual([]);
    expect(world.told().includes("kanarie")).toBe(false);
  });

  test("is masked where it fails the run, and in a run that is read again", async () => {
    const store = memoryStore();
    const world = watched({ store });
    const workflow: Workflow = { name: "fails", blocks: [{ id: "a", type: "Throws", inputs: { env: { TOKEN: "${secrets.TOKEN}" } } }] };
    const run = await world.executor.start(workflow);
    const result = await run.settled();
    expect(result.error?.message).toContain("***");
    world.note(result);
    await lookEverywhere(world, run);
    const again = watched({ store, secrets: undefined });
    await lookEverywhere(again, await again.executor.open(run.id));
    expect(again.told()).toContain("cannot log in with");
    expect(leaksIn(world.told() + again.told())).toEqual([]);
  });

  test("is masked in what a cancelled block still writes and in the reason of the cancellation", async () => {
    let started: (() => void) | undefined;
    let finish: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => (started = resolve));
    const slow = {
      type: "Slow",
      secretInputs: ["env"],
      async execute(context: {
        readonly inputs: { readonly env: { readonly TOKEN: string } };
        output(stream: "stdout", text: string): void;
      }) {
        started!();
        await new Promise<void>((resolve) => (finish = resolve));
        context.output("stdout", `late ${context.inputs.env.TOKEN}`);
        context.output("stdout", ".");
        return { status: "success" as const, outputs: {} };
      },
    };
    const world = watched({ blocks: [slow] });
    const run = await world.executor.start({
      name: "slow",
      blocks: [{ id: "a", type: "Slow", inputs: { env: { TOKEN: "${secrets.T}" } } }],
    });
    await begun;
    world.note(await run.cancel({ reason: `we saw ${CANARY}` }));
    finish!();
    await expect.poll(() => world.events.some((event) => event.type === "output")).toBe(true);
    await lookEverywhere(world, run);
    expect(run.getSnapshot().error?.message).toContain("we saw ***");
    expect(leaksIn(world.told())).toEqual([]);
  });
});

test("a secret that items of one block write at the same time, each in pieces, is masked in each", async () => {
  const type: BlockType = {
    type: "Trickles",
    secretInputs: ["env"],
    async execute(context) {
      const { env } = context.inputs as unknown as { readonly env: string };
      for (const letter of env) {
        context.output("stdout", letter);
        await context.host.sleep(1);
      }
      return { status: "success", outputs: {} };
    },
  };
  const world = watched({ blocks: [type] });
  const workflow: Workflow = {
    name: "trickles",
    blocks: [{ id: "a", type: "Trickles", forEach: [1, 2, 3], inputs: { env: "${secrets.TOKEN} of ${each.value}" } }],
  };
  const run = await world.executor.start(workflow);
  expect((await run.settled()).status).toBe("success");
  const streams = [0, 1, 2].map((item) =>
    world.events.map((event) => (event.type === "output" && event.item === item ? event.text : "")).join(""),
  );
  expect(streams).toEqual(["*** of 1", "*** of 2", "*** of 3"]);
});

describe("what a run keeps", () => {
  test("is the same in memory as in the store", async () => {
    const store = memoryStore();
    const one = watched({ store });
    const run = await one.executor.start(leakyWorkflow("RichOutputs"));
    await run.settled();
    const other = createExecutor({ store, blocks: leakyBlocks, host: fakeHost({ seed: 2 }) });
    const again = await other.open(run.id);
    expect(await again.steps()).toEqual(await run.steps());
    expect(again.getSnapshot()).toEqual(run.getSnapshot());
    expect((await run.steps())[0]?.outputs).toMatchObject({
      map: new Map([["***", { secret: "***" }]]),
      set: new Set(["***", "other"]),
      at: new Date(0),
      view: expect.any(DataView),
    });
  });

  test("is the value itself where nothing is secret in it", async () => {
    const world = watched({ secrets: () => "another-secret" });
    const result = await (await world.executor.start(leakyWorkflow("Outputs"))).settled();
    expect(result.status).toBe("success");
    const plain: Workflow = { name: "plain", blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "it is secret, is it not" } }] };
    const run = await world.executor.start(plain);
    await run.settled();
    expect(await run.steps()).toMatchObject([{ outputs: { echoed: "it is secret, is it not" } }]);
  });

  test("tells numbers and dates that spell a secret", async () => {
    const digits = "1767225600";
    const type = {
      type: "Digits",
      secretInputs: ["env"],
      execute: () => ({ status: "success" as const, outputs: { number: 17672256001, big: 17672256002n, other: 12, text: "1767225600!" } }),
    };
    const world = watched({ blocks: [type], secrets: () => digits });
    const run = await world.executor.start({ name: "digits", blocks: [{ id: "a", type: "Digits", inputs: { env: "${secrets.PIN}" } }] });
    await run.settled();
    expect((await run.steps())[0]?.outputs).toEqual({ number: "***1", big: "***2", other: 12, text: "***!" });
  });
});

describe("a secret input", () => {
  const workflow: Workflow = {
    name: "login",
    inputs: {
      user: { type: "string" },
      token: { type: "string", secret: true },
      second: { type: "string", secret: true, required: false },
    },
    blocks: [
      { id: "a", type: "Outputs", inputs: { env: { TOKEN: "${inputs.token}", SECOND: "${inputs.second}" } } },
      { id: "b", type: "ConfirmOperation", inputs: { message: "Go on, ${inputs.user}?" }, dependsOn: ["a"] },
    ],
    outputs: { a: "${blocks.a.outputs}" },
  };

  test("reaches the block and is kept nowhere", async () => {
    seen.length = 0;
    const world = watched({ secrets: undefined });
    const run = await world.executor.start(workflow, { user: `me, ${CANARY}`, token: CANARY });
    const paused = await run.settled();
    expect(seen).toEqual([CANARY]);
    expect(run.getSnapshot().inputs).toEqual({ user: "me, ***", second: null });
    world.note(await run.answer(paused.pauses![0]!.id, "yes"));
    await lookEverywhere(world, run);
    expect(leaksIn(world.told())).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["no text", 12345678, "INPUT_INVALID"],
    ["missing", undefined, "INPUT_INVALID"],
    ["too short", "12345", "SECRET_TOO_SHORT"],
    ["blank", "          ", "SECRET_TOO_SHORT"],
    ["too long", "x".repeat(16_385), "LIMIT_EXCEEDED"],
  ])("that is %s is refused without being shown, and nothing is stored", async (_, token, code) => {
    const world = watched();
    const error = await world.executor.start(workflow, { user: "me", token } as never).catch((thrown: unknown) => thrown);
    expect(isWorkflowError(error) && error.code).toBe(code);
    expect(textOf(error)).not.toMatch(/12345678|"12345"|xxxx/);
    expect((await world.executor.runs.list()).items).toEqual([]);
  });

  test("does not show in the message about another input", async () => {
    const world = watched();
    const choosy = { ...workflow, inputs: { ...workflow.inputs, user: { type: "string", enum: ["me"] } } } as Workflow;
    const error = await world.executor.start(choosy, { user: CANARY, token: CANARY }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "INPUT_INVALID" });
    expect(leaksIn(textOf(error))).toEqual([]);
  });
});
