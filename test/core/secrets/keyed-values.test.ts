import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, pause, success } from "wavepoint";
import type { BlockType, Executor, ExecutorOptions, RunEvent, Store, Value, Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { CANARY, leaksIn } from "./canary.ts";
import { listeningStore } from "./spill.ts";

/** What services were sent, as blocks saw it. */
const sent: unknown[] = [];
let logins = 0;

const login: BlockType = defineBlock({
  type: "Login",
  execute: async () => {
    logins++;
    return success({
      token: CANARY,
      user: "anna",
      body: `{"token":${JSON.stringify(CANARY)}}`,
      nested: { "X-Api-Key": [CANARY, 12_345_678] },
    });
  },
});

const send: BlockType = defineBlock({
  type: "Send",
  execute: ({ inputs, output }) => {
    sent.push(inputs);
    output("stdout", JSON.stringify(inputs));
    return success({ sent: JSON.stringify(inputs), again: inputs as Value });
  },
});

const fails: BlockType = defineBlock({
  type: "Fails",
  execute: ({ inputs }) =>
    failure({
      code: "BLOCK_FAILED",
      message: `refused ${JSON.stringify(inputs)}`,
      details: { access_token: CANARY, inputs: inputs as Value },
    }),
});

const secretive: readonly BlockType[] = [login, send, fails];

let seed = 100;

function open(store: Store, more: Partial<ExecutorOptions> = {}): Executor {
  return createExecutor({ store, blocks: secretive, host: fakeHost({ autoAdvance: true, seed: seed++ }), ...more });
}

/** Logs in, asks, and uses what it got. */
const workflow: Workflow = {
  name: "session",
  blocks: [
    { id: "login", type: "Login" },
    { id: "ask", type: "ConfirmOperation", inputs: { message: "Send as ${blocks.login.outputs.user}?" }, dependsOn: ["login"] },
    {
      id: "send",
      type: "Send",
      inputs: { bearer: "Bearer ${blocks.login.outputs.token}", key: "${blocks.login.outputs.nested}" },
      condition: "${blocks.login.outputs.token} != ''",
      dependsOn: ["ask"],
    },
    { id: "fail", type: "Fails", inputs: { it: "${blocks.login.outputs.token}" }, dependsOn: ["send"], continueOnError: true },
    { id: "ask-again", type: "GetInput", inputs: { prompt: "Was ${blocks.login.outputs.token} right?" }, dependsOn: ["fail"] },
  ],
  outputs: { token: "${blocks.login.outputs.token}", sent: "${blocks.send.outputs.sent}" },
};

const runOf = (pause: string): string => pause.replace(/^pause_(.*)\.\d+$/, "run_$1");

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );

describe("what a block gives under a secret key", () => {
  test("is seen by the blocks that use it, and by nothing else", async () => {
    sent.length = 0;
    const { store, texts } = listeningStore(memoryStore());
    const events: RunEvent[] = [];
    const executor = open(store, { onEvent: (event) => events.push(event) });
    const run = await executor.start(workflow);
    const paused = await run.settled();
    await run.answer(paused.pauses![0]!.id, "yes");
    const last = await run.answer(run.getSnapshot().pauses[0]!.id, "it was");
    expect(last.status).toBe("success");
    expect(sent).toEqual([{ bearer: `Bearer ${CANARY}`, key: { "X-Api-Key": [CANARY, 12_345_678] } }]);

    const { items } = await executor.checkpoints.list({ run: run.id });
    const told = [
      ...texts,
      ...(await store.read(run.id)),
      JSON.stringify(events),
      JSON.stringify([run.getSnapshot(), last, await run.steps(), await run.state(), await run.answers()]),
      JSON.stringify(await Promise.all(items.map(({ id }) => executor.checkpoints.get(id)))),
      JSON.stringify(await executor.checkpoints.diff(items.at(-1)!.id, items[0]!.id)),
      JSON.stringify(await executor.runs.list()),
      await executor.runs.export(run.id),
    ].join("\n");
    expect(leaksIn(told)).toEqual([]);
    expect(told).not.toContain("kanarie");
    expect(told).not.toContain("12345678");
    // What says nothing stays as it is.
    expect(told).toContain("anna");
  });

  test("stays out of the store too where it is more than JSON, carried over, or of an item", async () => {
    const { store, texts } = listeningStore(memoryStore());
    const seen: unknown[] = [];
    const rich: BlockType = defineBlock({
      type: "Rich",
      execute: ({ item, iteration, carried, nextIteration }) => {
        seen.push(carried);
        if (iteration === 1) return nextIteration({ secret: CANARY });
        return success({
          at: new Date(0),
          map: new Map([["password", CANARY]]),
          token: new TextEncoder().encode(CANARY),
          n: item?.index ?? 0,
        });
      },
    });
    const each: Workflow = {
      name: "each",
      blocks: [
        { id: "login", type: "Login" },
        { id: "rich", type: "Rich", dependsOn: ["login"] },
        {
          id: "items",
          type: "Send",
          forEach: "${blocks.login.outputs.nested.X-Api-Key}",
          inputs: { it: "${each.value}" },
          dependsOn: ["rich"],
        },
        { id: "send", type: "Send", inputs: { all: "${blocks.rich.outputs}" }, dependsOn: ["items"] },
      ],
    };
    sent.length = 0;
    const result = await (await open(store, { blocks: [...secretive, rich] }).start(each)).settled();
    expect(result.status).toBe("success");
    expect(seen).toEqual([undefined, { secret: CANARY }]);
    expect(sent.slice(0, 2)).toEqual([{ it: CANARY }, { it: 12_345_678 }]);
    expect(sent[2]).toMatchObject({ all: { map: new Map([["password", CANARY]]), token: new TextEncoder().encode(CANARY) } });
    expect(leaksIn(texts.join("\n"))).toEqual([]);
  });

  test("may be exempt by its key", async () => {
    const store = memoryStore();
    const run = await open(store, { notSecret: ["token", "X-Api-Key"] }).start(workflow);
    await run.settled();
    expect((await store.read(run.id)).join("\n")).toContain(JSON.stringify(CANARY).slice(1, -1));
  });

  test("is what a name ends with, not what it begins with; truth values, empty texts and counts of tokens stay", async () => {
    const given = {
      token_type: "Bearer-ish",
      password_hint: "the dog",
      total_tokens: 512,
      secret: false,
      api_key: null,
      client_secret: "",
      secretary: "Bert",
    };
    const gives: BlockType = defineBlock({ type: "Gives", execute: () => success(given) });
    const run = await open(memoryStore(), { blocks: [gives] }).start({ name: "gives", blocks: [{ id: "a", type: "Gives" }] });
    await run.settled();
    expect((await run.state()).values["a"]).toEqual(given);
  });
});

describe("in another process", () => {
  async function startAndPause(store: Store, more: Partial<Workflow["blocks"][number]> = {}): Promise<string> {
    logins = 0;
    sent.length = 0;
    const blocks = workflow.blocks.map((block) =>
      block.id === "login" ? { ...block, ...more } : block.id === "ask-again" ? { ...block, inputs: { prompt: "Was it right?" } } : block,
    );
    const run = await open(store).start({ ...workflow, blocks });
    return (await run.settled()).pauses![0]!.id;
  }

  test("the block that gave it runs again for it, unrecorded", async () => {
    const { store, texts } = listeningStore(memoryStore());
    const ask = await startAndPause(store);
    const result = await open(store).answer(ask, "yes");
    expect(result.status).toBe("paused");
    expect(logins).toBe(2);
    expect(sent).toEqual([{ bearer: `Bearer ${CANARY}`, key: { "X-Api-Key": [CANARY, 12_345_678] } }]);
    const entries = (await store.read(runOf(ask))).map((text) => JSON.parse(text) as { type: string; block?: string });
    expect(entries.filter(({ type, block }) => type === "completed" && block === "login").length).toBe(1);
    expect(leaksIn(texts.join("\n"))).toEqual([]);
  });

  test("the provider is asked by the name of the block and the key", async () => {
    const store = memoryStore();
    const ask = await startAndPause(store, { effect: "once" });
    const names: string[] = [];
    const secrets = (name: string): string | undefined => {
      names.push(name);
      return name === "login.token" ? "another-token" : name === "login.nested.X-Api-Key.0" ? "another-key" : "12";
    };
    await open(store, { secrets }).answer(ask, "yes");
    expect(names).toEqual(["login.token", "login.nested.X-Api-Key.1"]);
    expect(logins).toBe(1);
    expect(sent).toMatchObject([{ bearer: "Bearer another-token" }]);
    expect((await store.read(runOf(ask))).join("\n")).not.toContain("another-token");
  });

  test("a block that must not run twice is not run: the error names the block, the key and the way out", async () => {
    const store = memoryStore();
    const ask = await startAndPause(store, { effect: "once" });
    const executor = open(store);
    const error = await thrown(executor.answer(ask, "yes"));
    expect(error).toMatchObject({ code: "SECRET_MISSING", details: { block: "login", key: "token", secrets: ["login.token"] } });
    expect((error as Error).message).toMatch(/"token" of block "login".*must not run twice.*secrets/);
    expect(logins).toBe(1);
    expect(sent).toEqual([]);

    const run = await open(store, { secrets: () => "given-later" }).open(runOf(ask));
    expect((await run.resume()).status).toBe("paused");
    expect(sent).toMatchObject([{ bearer: "Bearer given-later" }]);
  });

  test("the run does not ask for what no block needs any more", async () => {
    const store = memoryStore();
    const ask = await startAndPause(store, { effect: "once" });
    const run = await open(store, { secrets: () => "given-once" }).open(runOf(ask));
    await run.answer(ask, "yes");
    const other = await open(store).open(run.id);
    expect((await other.answer(other.getSnapshot().pauses[0]!.id, "fine")).status).toBe("success");
  });
});

describe("an answer with a secret key", () => {
  const seen: unknown[] = [];
  const check: BlockType = defineBlock({
    type: "Check",
    execute: ({ inputs }) => {
      seen.push((inputs as { readonly password: string }).password);
      return success({ fits: true });
    },
  });
  const form: Workflow = {
    name: "form",
    blocks: [
      {
        id: "door",
        type: "Form",
        inputs: {
          prompt: "Who is there?",
          schema: {
            type: "object",
            properties: { user: { type: "string" }, password: { type: "string", minLength: 3, maxLength: 20 } },
            required: ["user", "password"],
          },
        },
      },
      { id: "more", type: "GetInput", inputs: { prompt: "What is it?" }, dependsOn: ["door"] },
      { id: "check", type: "Check", inputs: { password: "${blocks.door.outputs.password}" }, dependsOn: ["door"] },
      { id: "last", type: "Check", inputs: { password: "${blocks.door.outputs.password}" }, dependsOn: ["more"] },
    ],
  };
  const more = { blocks: [check], workflows: [form] };

  test("is checked and used as it is, and kept as a marker, with its draft empty", async () => {
    seen.length = 0;
    const { store, texts } = listeningStore(memoryStore());
    const executor = open(store, more);
    const run = await executor.start("form");
    const door = (await run.settled()).pauses![0]!.id;
    await run.saveDraft(door, { user: "anna", password: CANARY });
    expect(run.getSnapshot().pauses[0]!.draft).toEqual({ user: "anna", password: "" });
    expect(await run.answer(door, { user: "anna", password: "x" })).toMatchObject({ error: { code: "RESPONSE_INVALID" } });
    const result = await run.answer(door, { user: "anna", password: CANARY });
    expect(result.status).toBe("paused");
    expect(seen).toEqual([CANARY]);
    // The same answer again is the same answer.
    expect((await run.answer(door, { user: "anna", password: CANARY })).status).toBe("paused");
    expect(await run.answer(door, { user: "anna", password: "another one" })).toMatchObject({ error: { code: "PAUSE_ALREADY_ANSWERED" } });
    expect(leaksIn([...texts, JSON.stringify([run.getSnapshot(), await run.answers(), await run.steps()])].join("\n"))).toEqual([]);
    expect(texts.join("\n")).toContain("anna");
  });

  test("that is revised has its readers run again; the others keep what they had", async () => {
    seen.length = 0;
    const { store, texts } = listeningStore(memoryStore());
    const run = await open(store, more).start("form");
    const door = (await run.settled()).pauses![0]!.id;
    await run.answer(door, { user: "anna", password: CANARY });
    await run.revise(door, { user: "anna", password: "another one" });
    expect(seen).toEqual([CANARY, "another one"]);
    await run.back();
    expect(leaksIn(texts.join("\n"))).toEqual([]);
    expect(texts.join("\n")).not.toContain("another one");
    const open2 = run.getSnapshot().pauses[0]!;
    expect(open2.prefill).toEqual({ user: "anna", password: "" });
  });

  test("is asked for by its name in another process, and else by an error that says where to give it again", async () => {
    seen.length = 0;
    const store = memoryStore();
    const first = await open(store, more).start("form");
    const door = (await first.settled()).pauses![0]!.id;
    await first.answer(door, { user: "anna", password: CANARY });
    const question = first.getSnapshot().pauses[0]!.id;
    const error = await thrown(open(store, more).answer(question, "a house"));
    expect(error).toMatchObject({ code: "SECRET_MISSING", details: { block: "door", key: "password", pause: door } });
    const secrets = (name: string): string | undefined => (name === "door.password" ? CANARY : undefined);
    expect((await (await open(store, { ...more, secrets }).open(first.id)).resume()).status).toBe("success");
    expect(seen).toEqual([CANARY, CANARY]);
  });

  test("that no block has looked at is asked for again after a crash", async () => {
    const store = memoryStore();
    const shy: BlockType = defineBlock({
      type: "Shy",
      execute: () => pause({ prompt: "Who?", schema: { type: "object", properties: { password: { type: "string" } } } }),
      resume: async ({ response, host, signal }) => {
        if (!isGoing) await host.sleep(60_000, signal);
        return success({ length: (response as { password: string }).password.length });
      },
    });
    let isGoing = false;
    const crashing = open(store, { blocks: [shy], host: fakeHost({ seed: seed++ }) });
    const run = await crashing.start({ name: "shy", blocks: [{ id: "shy", type: "Shy" }] });
    const question = (await run.settled()).pauses![0]!.id;
    void run.answer(question, { password: CANARY }).catch(() => {});
    await expect.poll(async () => (await store.read(run.id)).length).toBe(3);
    await crashing.close();
    isGoing = true;
    const later = await open(store, { blocks: [shy] }).open(run.id);
    const stopped = await later.resume();
    expect(stopped).toMatchObject({ status: "paused", pauses: [{ id: question }] });
    expect(await later.answer(question, { password: "four" })).toMatchObject({ status: "success" });
    expect((await later.state()).values["shy"]).toEqual({ length: 4 });
  });
});

describe("inputs and called workflows", () => {
  const inner: Workflow = {
    name: "inner",
    inputs: { token: { type: "string" } },
    blocks: [
      { id: "ask", type: "ConfirmOperation", inputs: { message: "Go on?" } },
      { id: "send", type: "Send", inputs: { it: "${inputs.token}" }, dependsOn: ["ask"] },
      { id: "login", type: "Login" },
    ],
    outputs: { token: "${blocks.login.outputs.token}", plain: "${blocks.login.outputs.token}" },
  };
  const outer: Workflow = {
    name: "outer",
    inputs: { password: { type: "string" } },
    blocks: [
      { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "inner", inputs: { token: "${inputs.password}" } } },
      {
        id: "send",
        type: "Send",
        inputs: { it: "${blocks.call.outputs.token}", plain: "${blocks.call.outputs.plain}" },
        dependsOn: ["call"],
      },
    ],
  };
  const given = "given-by-anna";

  test("take and give them, out of sight", async () => {
    sent.length = 0;
    const { store, texts } = listeningStore(memoryStore());
    const executor = open(store, { workflows: [inner, outer] });
    const run = await executor.start("outer", { password: given });
    const paused = await run.settled();
    expect((await run.answer(paused.pauses![0]!.id, "yes")).status).toBe("success");
    expect(sent).toEqual([{ it: given }, { it: CANARY, plain: "***" }]);
    expect(leaksIn(texts.join("\n"))).toEqual([]);
    expect(texts.join("\n")).not.toContain(given);
  });

  test("go on in another process with what the provider has for the input, and what the blocks give again", async () => {
    sent.length = 0;
    logins = 0;
    const { store, texts } = listeningStore(memoryStore());
    const run = await open(store, { workflows: [inner, outer] }).start("outer", { password: given });
    const question = (await run.settled()).pauses![0]!.id;
    const secrets = (name: string): string | undefined => (name === "token" || name === "password" ? given : undefined);
    const result = await open(store, { workflows: [inner, outer], secrets }).answer(question, "yes");
    expect(result.status).toBe("success");
    expect(sent).toEqual([{ it: given }, { it: CANARY, plain: "***" }]);
    expect(logins).toBe(2);
    expect(leaksIn(texts.join("\n"))).toEqual([]);
  });

  test("that have ended are asked in another process for what they gave", async () => {
    sent.length = 0;
    logins = 0;
    const { store, texts } = listeningStore(memoryStore());
    const signIn: Workflow = {
      name: "sign-in",
      blocks: [{ id: "login", type: "Login" }],
      outputs: { token: "${blocks.login.outputs.token}" },
    };
    const use: Workflow = {
      name: "use",
      blocks: [
        { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "sign-in" } },
        { id: "ask", type: "ConfirmOperation", inputs: { message: "Send?" }, dependsOn: ["call"] },
        { id: "send", type: "Send", inputs: { it: "${blocks.call.outputs.token}" }, dependsOn: ["call", "ask"] },
      ],
    };
    const run = await open(store, { workflows: [signIn, use] }).start("use");
    const question = (await run.settled()).pauses![0]!.id;
    const result = await open(store, { workflows: [signIn, use] }).answer(question, "yes");
    expect(result.status).toBe("success");
    expect(sent).toEqual([{ it: CANARY }]);
    expect(logins).toBe(2);
    expect(leaksIn(texts.join("\n"))).toEqual([]);
  });

  test("are not recorded where the run is refused", async () => {
    const { store, texts } = listeningStore(memoryStore());
    const executor = open(store, { workflows: [inner, outer] });
    const error = await thrown(executor.start("outer", { password: given, other: 1 } as never));
    expect(error).toMatchObject({ code: "INPUT_INVALID" });
    expect(JSON.stringify(error)).not.toContain(given);
    expect(texts.join("\n")).not.toContain(given);
  });
});
