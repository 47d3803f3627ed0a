import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, isWorkflowError, success } from "wavepoint";
import type { BlockType, ExecutorOptions, SecretsProvider, Store, Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { CANARY, leaksIn } from "./canary.ts";
import { listeningStore } from "./spill.ts";

const seen: unknown[] = [];

/** Notes the secret it is given, and fails where that has expired. */
const login: BlockType = {
  ...defineBlock({
    type: "Login",
    execute: ({ inputs }) => {
      const { env } = inputs as { readonly env: { readonly TOKEN: string } };
      seen.push(env.TOKEN);
      return env.TOKEN.startsWith("expired") ? failure(`${env.TOKEN} is refused`) : success({ said: `in with ${env.TOKEN}` });
    },
  }),
  secretInputs: ["env"],
};

const named: Workflow = {
  name: "named",
  blocks: [
    { id: "ask", type: "ConfirmOperation", inputs: { message: "Log in?" } },
    { id: "login", type: "Login", inputs: { env: { TOKEN: "${secrets.TOKEN}" } }, dependsOn: ["ask"] },
  ],
  outputs: { said: "${blocks.login.outputs.said}" },
};

const given: Workflow = {
  ...named,
  name: "given",
  inputs: { token: { type: "string", secret: true } },
  blocks: [named.blocks[0]!, { ...named.blocks[1]!, inputs: { env: { TOKEN: "${inputs.token}" } } }],
};

let seed = 10;

function open(store: Store, secrets?: SecretsProvider, more: Partial<ExecutorOptions> = {}): ReturnType<typeof createExecutor> {
  seen.length = 0;
  const host = fakeHost({ autoAdvance: true, seed: seed++ });
  return createExecutor({ store, blocks: [login], workflows: [named, given], host, ...(secrets ? { secrets } : {}), ...more });
}

async function startAndPause(store: Store, workflow: "named" | "given"): Promise<{ readonly run: string; readonly pause: string }> {
  const run = await open(store, () => CANARY).start(workflow, workflow === "given" ? { token: CANARY } : {});
  const paused = await run.settled();
  return { run: run.id, pause: paused.pauses![0]!.id };
}

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );

describe("a run that needs secrets", () => {
  test("asks for each by its name, before anything is stored", async () => {
    const asked: string[] = [];
    const { store, texts } = listeningStore(memoryStore());
    const executor = open(store, async (name) => {
      asked.push(`${name} after ${texts.filter((text) => text.includes("started")).length} runs`);
      return CANARY;
    });
    await (await executor.start("named")).settled();
    expect(asked).toEqual(["TOKEN after 0 runs"]);
  });

  test.each<[string, SecretsProvider | undefined, string]>([
    ["is not given", undefined, "SECRET_MISSING"],
    ["the provider does not have", () => undefined, "SECRET_MISSING"],
    ["the provider cannot get", () => Promise.reject(new Error("the vault is closed")), "SECRET_MISSING"],
    ["is too short", () => "12345", "SECRET_TOO_SHORT"],
    ["is no text", (() => 123456789) as never, "SECRET_TOO_SHORT"],
    ["is too long", () => "x".repeat(20_000), "LIMIT_EXCEEDED"],
  ])("does not start where it is one that %s", async (_, secrets, code) => {
    const { store, texts } = listeningStore(memoryStore());
    const error = await thrown(open(store, secrets).start("named"));
    expect(error).toMatchObject({ code, message: expect.stringContaining("TOKEN") });
    expect(isWorkflowError(error) && JSON.stringify(error)).not.toMatch(/12345|xxxx/);
    expect(texts.filter((text) => text.includes("started"))).toEqual([]);
  });

  test("keeps the reason of the provider as the cause", async () => {
    const cause = new Error("the vault is closed");
    expect(await thrown(open(memoryStore(), () => Promise.reject(cause)).start("named"))).toMatchObject({ cause });
  });
});

describe.each(["named", "given"] as const)("a paused run with secrets (%s)", (workflow) => {
  test("goes on in the process that started it without asking again", async () => {
    const store = memoryStore();
    let asked = 0;
    const executor = open(store, () => {
      asked++;
      return CANARY;
    });
    const run = await executor.start(workflow, workflow === "given" ? { token: CANARY } : {});
    const paused = await run.settled();
    expect(await executor.answer(paused.pauses![0]!.id, "yes")).toMatchObject({ outputs: { said: "in with ***" } });
    expect(seen).toEqual([CANARY]);
    expect(asked).toBe(workflow === "named" ? 1 : 0);
  });

  test("stays as it is where they are not given, and goes on later", async () => {
    const store = memoryStore();
    const { run, pause } = await startAndPause(store, workflow);
    const before = JSON.stringify([await store.head(run), await store.read(run)]);
    const without = open(store);
    const tries: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["SECRET_MISSING", () => without.answer(pause, "yes")],
      ["SECRET_MISSING", () => without.resume(pause, "yes")],
      ["SECRET_MISSING", async () => (await without.open(run)).answer({ [pause]: "yes" })],
      ["SECRET_MISSING", () => open(store, () => undefined).answer(pause, "yes")],
      ["SECRET_MISSING", () => open(store, () => Promise.reject(new Error("offline"))).answer(pause, "yes")],
      ["SECRET_TOO_SHORT", () => open(store, () => "12345").answer(pause, "yes")],
    ];
    for (const [code, attempt] of tries) {
      expect(await thrown(attempt())).toMatchObject({ code, message: expect.stringMatching(/TOKEN|token/) });
    }
    expect(JSON.stringify([await store.head(run), await store.read(run)])).toBe(before);
    expect((await without.open(run)).getSnapshot()).toMatchObject({ status: "paused", pauses: [{ id: pause }] });
    expect(seen).toEqual([]);

    const names: string[] = [];
    const later = open(store, (name) => {
      names.push(name);
      return CANARY;
    });
    expect(await later.answer(pause, "yes")).toMatchObject({ status: "success", outputs: { said: "in with ***" } });
    expect(names).toEqual([workflow === "named" ? "TOKEN" : "token"]);
    expect(seen).toEqual([CANARY]);
    expect(leaksIn((await store.read(run)).join("\n"))).toEqual([]);
  });

  test("takes the value that the provider has now", async () => {
    const store = memoryStore();
    const { run, pause } = await startAndPause(store, workflow);
    const other = "replaced-by-another";
    expect(await open(store, () => other).answer(pause, "yes")).toMatchObject({ outputs: { said: "in with ***" } });
    expect(seen).toEqual([other]);
    expect((await store.read(run)).join("\n")).not.toContain(other);
  });

  test("keeps a secret answer to itself", async () => {
    const store = memoryStore();
    const { run, pause } = await startAndPause(store, workflow);
    const executor = open(store, () => CANARY);
    await executor.answer(pause, CANARY);
    expect(JSON.stringify(await executor.answer(pause, `not ${CANARY}`))).toContain("PAUSE_ALREADY_ANSWERED");
    expect(await executor.answer(pause, CANARY)).toMatchObject({ status: "success" });
    expect(leaksIn((await store.read(run)).join("\n"))).toEqual([]);
  });

  test("is forked with its secrets", async () => {
    const store = memoryStore();
    const executor = open(store, () => CANARY);
    const run = await executor.start(workflow, workflow === "given" ? { token: CANARY } : {});
    const paused = await run.settled();
    expect(await executor.resume(paused.pauses![0]!.id, "yes", { fork: true })).toMatchObject({ outputs: { said: "in with ***" } });
    expect(seen).toEqual([CANARY]);
    expect(await thrown(open(store).resume(paused.pauses![0]!.id, "yes", { fork: true }))).toMatchObject({ code: "SECRET_MISSING" });
    expect((await executor.runs.list()).items.length).toBe(2);
  });
});

describe("a run that failed", () => {
  test("gets a secret that was replaced, and keeps the old one hidden", async () => {
    const store = memoryStore();
    let token = "expired-token";
    const executor = open(store, () => token);
    const run = await executor.start("named");
    const paused = await run.settled();
    expect(await run.answer(paused.pauses![0]!.id, "yes")).toMatchObject({ error: { message: expect.stringContaining("*** is refused") } });
    token = "renewed-token";
    expect(await run.resume()).toMatchObject({ outputs: { said: "in with ***" } });
    expect(seen).toEqual(["expired-token", "renewed-token"]);
    const stored = (await store.read(run.id)).join("\n");
    expect(stored).not.toMatch(/expired-token|renewed-token/);
  });

  test("stays failed where the secret is gone", async () => {
    const store = memoryStore();
    const run = await open(store, () => "expired-token").start("named");
    const paused = await run.settled();
    await run.answer(paused.pauses![0]!.id, "yes");
    const entries = (await store.read(run.id)).length;
    const again = await open(store).open(run.id);
    expect(await thrown(again.resume())).toMatchObject({ code: "SECRET_MISSING" });
    expect((await store.read(run.id)).length).toBe(entries);
    expect((await store.head(run.id))?.status).toBe("failed");
  });
});

describe("a called workflow", () => {
  const parent: Workflow = {
    name: "parent",
    inputs: { key: { type: "string", secret: true } },
    blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "given", inputs: { token: "${inputs.key}" } } }],
    outputs: { said: "${blocks.call.outputs.said}" },
  };

  test("gets a secret that its caller passes on, also in another process, and keeps it as secret", async () => {
    const { store, texts } = listeningStore(memoryStore());
    const first = open(store, () => "of-no-use", { workflows: [parent, given] });
    const run = await first.start("parent", { key: CANARY });
    const paused = await run.settled();
    const pause = paused.pauses![0]!.id;
    const names: string[] = [];
    const other = open(store, (name) => {
      names.push(name);
      return name === "key" ? CANARY : undefined;
    });
    expect(await other.answer(pause, "yes")).toMatchObject({ outputs: { said: "in with ***" } });
    expect(seen).toEqual([CANARY]);
    expect([...new Set(names)]).toEqual(["key"]);
    expect(leaksIn(texts.join("\n"))).toEqual([]);
  });

  test("asks for its input itself where it is answered on its own", async () => {
    const store = memoryStore();
    const run = await open(store, undefined, { workflows: [parent, given] }).start("parent", { key: CANARY });
    await run.settled();
    const other = open(store, (name) => (name === "key" ? CANARY : undefined));
    const child = await other.open(`${run.id}/call`);
    const result = await child.answer(child.getSnapshot().pauses[0]!.id, "yes");
    expect(result).toMatchObject({ outputs: { said: "in with ***" } });
    expect(await (await other.open(run.id)).settled()).toMatchObject({ outputs: { said: "in with ***" } });
    expect(seen).toEqual([CANARY]);
  });

  test("that a crash left behind stays as it is, with its caller, where its secret is gone", async () => {
    const store = memoryStore();
    const slow: BlockType = { ...login, type: "Slow", execute: ({ host, signal }) => host.sleep(60_000, signal).then(() => success({})) };
    const works: Workflow = { name: "works", blocks: [{ id: "a", type: "Slow", inputs: { env: { TOKEN: "${secrets.TOKEN}" } } }] };
    const calls: Workflow = { name: "calls", blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "works" } }] };
    const workflows = { workflows: [works, calls], blocks: [slow], host: fakeHost({ seed: seed++ }) };
    const dying = open(store, () => CANARY, workflows);
    const run = await dying.start("calls");
    const childStatus = async (): Promise<unknown> => (await dying.open(`${run.id}/call`)).getSnapshot().waves[0]?.blocks[0]?.status;
    await expect.poll(() => childStatus().catch(() => "not there")).toBe("running");
    await dying.close();

    const before = await store.read(run.id);
    const without = await open(store, undefined, { ...workflows, host: fakeHost({ autoAdvance: true, seed: seed++ }) }).open(run.id);
    expect(await thrown(without.resume())).toMatchObject({ code: "SECRET_MISSING" });
    expect(await store.read(run.id)).toEqual(before);
    expect((await store.head(run.id))?.status).toBe("running");
    const later = await open(store, () => CANARY, { ...workflows, host: fakeHost({ autoAdvance: true, seed: seed++ }) }).open(run.id);
    expect(await later.resume()).toMatchObject({ status: "success" });
  });

  test("gets the secret of its item from a block with for_each, also in another process", async () => {
    const { store, texts } = listeningStore(memoryStore());
    const each: Workflow = {
      name: "each",
      inputs: { key: { type: "string", secret: true } },
      blocks: [
        {
          id: "call",
          type: "ExecuteWorkflow",
          forEach: ["one", "two"],
          inputs: { workflow: "given", inputs: { token: "${each.value}-${inputs.key}" } },
        },
      ],
    };
    const run = await open(store, undefined, { workflows: [each, given] }).start("each", { key: CANARY });
    const pauses = (await run.settled()).pauses!;
    expect(pauses.length).toBe(2);
    const other = open(store, (name) => (name === "key" ? CANARY : undefined));
    for (const { id } of pauses) await other.answer(id, "yes");
    expect((await (await other.open(run.id)).settled()).status).toBe("success");
    expect(seen).toEqual([`one-${CANARY}`, `two-${CANARY}`]);
    expect(leaksIn(texts.join("\n"))).toEqual([]);
  });

  test("gets a secret in an open input only masked", async () => {
    const { store, texts } = listeningStore(memoryStore());
    const openWorkflow: Workflow = {
      name: "open",
      inputs: { note: { type: "string" } },
      blocks: [{ id: "echo", type: "EchoBlock", inputs: { message: "${inputs.note}" } }],
      outputs: { echoed: "${blocks.echo.outputs.echoed}" },
    };
    const any: Workflow = {
      name: "any",
      inputs: { key: { type: "string", secret: true }, which: { type: "string" } },
      blocks: [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "${inputs.which}", inputs: { note: "it is ${inputs.key}" } } }],
      outputs: { echoed: "${blocks.call.outputs.echoed}" },
    };
    const run = await open(store, undefined, { workflows: [openWorkflow, any] }).start("any", { key: CANARY, which: "open" });
    expect(await run.settled()).toMatchObject({ outputs: { echoed: "it is ***" } });
    expect(leaksIn(texts.join("\n"))).toEqual([]);
  });
});
