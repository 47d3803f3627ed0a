import { beforeEach, describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success } from "wavepoint";
import type { Executor, ExecutorOptions, RunEvent, Store, Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { CANARY, leaksIn } from "./canary.ts";
import { listeningStore } from "./spill.ts";

/** What blocks saw. */
const seen: unknown[] = [];
beforeEach(() => void (seen.length = 0));

const login = defineBlock({
  type: "Login",
  execute({ channels }) {
    channels.write("session", { token: CANARY, user: "anna" });
    channels.write("access_token", CANARY);
    channels.write("log", { what: "login", password: CANARY });
    return success({});
  },
});

const read = defineBlock({
  type: "Read",
  execute({ inputs, channels }) {
    seen.push([inputs, channels.get("session"), channels.get("access_token"), channels.get("log")]);
    return success({ sent: JSON.stringify(seen.at(-1)) });
  },
});

const ask = defineBlock({ type: "Ask", execute: () => pause({ prompt: "Go on?" }), resume: () => success({}) });

const workflow: Workflow = {
  name: "session",
  channels: { session: { reduce: "merge" }, access_token: {}, log: { reduce: "append" } },
  blocks: [
    { id: "login", type: "Login" },
    { id: "before", type: "Read", inputs: { bearer: "Bearer ${channels.access_token}" }, dependsOn: ["login"] },
    { id: "ask", type: "Ask", dependsOn: ["before"] },
    { id: "read", type: "Read", inputs: { bearer: "Bearer ${channels.session.token}" }, dependsOn: ["ask"] },
  ],
  outputs: { session: "${channels.session}" },
};

const all = [{ bearer: `Bearer ${CANARY}` }, { token: CANARY, user: "anna" }, CANARY, [{ what: "login", password: CANARY }]];

let seed = 300;
function open(store: Store, more: Partial<ExecutorOptions> = {}): Executor {
  return createExecutor({
    store,
    blocks: [login, read, ask],
    workflows: [workflow],
    host: fakeHost({ autoAdvance: true, seed: seed++ }),
    ...more,
  });
}

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "nothing was thrown",
    (error: unknown) => error,
  );

async function startAndAsk(store: Store): Promise<string> {
  return (await (await open(store).start("session")).settled()).pauses![0]!.id;
}

describe("what blocks write to channels under secret keys", () => {
  test("is seen by the blocks that read it, and by nothing else", async () => {
    const { store, texts } = listeningStore(memoryStore());
    const events: RunEvent[] = [];
    const executor = open(store, { onEvent: (event) => events.push(event) });
    const run = await executor.start("session");
    const { pauses } = await run.settled();
    const views = [JSON.stringify(run.getSnapshot())];
    const last = await run.answer(pauses![0]!.id, "yes");
    expect(last).toMatchObject({ status: "success", outputs: { session: { user: "anna" } } });
    expect(seen).toEqual([all, all]);
    const { items } = await executor.checkpoints.list({ run: run.id });
    const told = [
      ...texts,
      ...views,
      JSON.stringify([events, run.getSnapshot(), last, await run.steps(), await run.state()]),
      JSON.stringify(await Promise.all(items.map(({ id }) => executor.checkpoints.get(id)))),
      JSON.stringify(await executor.checkpoints.diff(items.at(-1)!.id, items[0]!.id)),
      await executor.runs.export(run.id),
    ].join("\n");
    expect(leaksIn(told)).toEqual([]);
    expect(told).toContain("anna");
  });

  test("is asked for again in another process, by the name of the channel", async () => {
    const store = memoryStore();
    const question = await startAndAsk(store);
    const names: string[] = [];
    const secrets = (name: string): string => {
      names.push(name);
      return "another-token";
    };
    expect(await open(store, { secrets }).answer(question, "yes")).toMatchObject({ status: "success" });
    expect(names).toEqual(["channels.session.token"]);
    expect(seen[1]).toEqual([
      { bearer: "Bearer another-token" },
      { token: "another-token", user: "anna" },
      "another-token",
      [{ what: "login", password: "another-token" }],
    ]);
  });

  test("is missed by a block whose code reads it, too, before it runs", async () => {
    const store = memoryStore();
    const question = await startAndAsk(store);
    const error = await thrown(open(store).answer(question, "yes"));
    expect(error).toMatchObject({ code: "SECRET_MISSING", details: { key: "token", secrets: ["channels.session.token"] } });
    expect((error as Error).message).toContain('A block wrote it to channel "session"');
    expect(seen.length).toBe(1);
  });

  test("is regained from a store that seals it", async () => {
    const store = memoryStore();
    const sealed = (): Promise<Store> => encryptedStore(store, { key: new Uint8Array(32).fill(7) });
    const question = await startAndAsk(await sealed());
    expect(await open(await sealed()).answer(question, "yes")).toMatchObject({ status: "success" });
    expect(seen).toEqual([all, all]);
  });

  test("is kept, and never reckoned with", async () => {
    const adds = defineBlock({
      type: "Adds",
      execute({ channels }) {
        channels.write("total_secret", 12_345_678);
        return success({});
      },
    });
    const flow: Workflow = {
      name: "adds",
      channels: { total_secret: { reduce: "sum" } },
      blocks: [{ id: "a", type: "Adds" }],
    };
    const result = await (await open(memoryStore(), { blocks: [adds] }).start(flow)).settled();
    expect(result).toMatchObject({ status: "failure", error: { code: "CHANNEL_INVALID", details: { channel: "total_secret" } } });
    expect(JSON.stringify(result)).not.toContain("12345678");
  });
});
