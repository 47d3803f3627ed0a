import { describe, expect, test, vi } from "vitest";
import { createExecutor, type Executor, type Run } from "wavepoint";
import { readLink } from "wavepoint/remote";
import { memoryStore } from "wavepoint/store/memory";
import { OPERATIONS, type OperationName } from "../../src/server/protocol/operations.ts";
import { ANSWERS, answerWizard, beginWizard, OUTPUTS, wizardExecutor } from "../support/moving-wizard.ts";
import { ALL_RIGHTS, overServer, type Remote } from "./served.ts";

const linkKey = "0123456789abcdef0123456789abcdef";

interface Linked {
  readonly executor: Executor;
  readonly run: Run;
  readonly pause: string;
  readonly remote: Remote;
  /** The same server, as the holder of a link sees it. */
  by(token: string): Executor;
}

/** A wizard at its second question, which is asked by the run that it called. */
async function linked(): Promise<Linked> {
  const executor = wizardExecutor(memoryStore());
  const run = await beginWizard(executor, 1);
  const options = { token: "of-the-owner", linkKey, authorize: () => true, allow: ALL_RIGHTS };
  const remote = overServer(executor, options, { headers: { authorization: "Bearer of-the-owner" } });
  const fetch: typeof globalThis.fetch = (url, init) => remote.served.fetch(new Request(url, { ...init, keepalive: false }));
  const { remoteExecutor } = await import("wavepoint/remote");
  const by = (token: string): Executor => remoteExecutor("http://server.test", { fetch, headers: { authorization: `Bearer ${token}` } });
  return { executor, run, pause: run.getSnapshot().pauses[0]!.id, remote, by };
}

const denied = { code: "ACCESS_DENIED" };

describe("a link to one question", () => {
  test("shows it and nothing else of the run, keeps what is typed, and answers it", async () => {
    const { run, pause, remote, by } = await linked();
    const token = await remote.served.link({ pause });
    expect(readLink(token)).toEqual({ run: run.id, pause, expiresAt: expect.any(Number) });
    const guest = await by(token).open(run.id);
    const { pauses, ...rest } = guest.getSnapshot();
    expect(pauses).toMatchObject([{ id: pause, prompt: "Its number?", allows: { back: false, cancel: false } }]);
    expect(rest).toEqual({
      id: run.id,
      workflow: "application",
      definition: "",
      status: "paused",
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      inputs: {},
      waves: [],
      progress: { answered: 0, remaining: { min: 1, max: 1 } },
      active: false,
    });
    expect(JSON.stringify(guest.getSnapshot())).not.toMatch(/Ada|Rome|photo/);

    await guest.saveDraft(pause, "A 1");
    expect(run.getSnapshot().pauses[0]!.draft).toBe("A 1");
    const result = await guest.answer(pause, "A 12");
    expect(result).toMatchObject({ status: "success", outputs: {} });
    expect(result.pauses).toBeUndefined();
    expect(guest.getSnapshot()).toMatchObject({ status: "completed", pauses: [], outputs: {} });
    expect(run.getSnapshot().pauses.map(({ path }) => path.join("/"))).toEqual(["papers/valid"]);
  });

  test("is used once: the same answer again does no harm, another one is refused, also after the question was opened again", async () => {
    const { run, pause, remote, by } = await linked();
    const guest = await by(await remote.served.link({ pause })).open(run.id);
    await guest.answer(pause, "A 12");
    expect((await guest.answer(pause, "A 12")).status).toBe("success");
    const refused = await guest.answer(pause, "B 34");
    expect(refused).toMatchObject({
      status: "failure",
      error: { code: "PAUSE_ALREADY_ANSWERED", message: "This question is no longer open." },
    });
    expect(JSON.stringify(refused)).not.toContain("A 12");
    await run.back();
    expect(run.getSnapshot().pauses[0]).toMatchObject({ prompt: "Its number?", again: { times: 2 } });
    await guest.refresh();
    expect(guest.getSnapshot().pauses).toEqual([]);
    expect(await guest.answer(pause, "B 34")).toMatchObject({ status: "failure", error: { code: expect.stringMatching(/^PAUSE_/) } });
    await expect(guest.saveDraft(pause, "B")).rejects.toMatchObject({ message: "This question is no longer open." });
    await expect(guest.answer(run.getSnapshot().pauses[0]!.id, "B 34")).rejects.toMatchObject(denied);
  });

  test("follows its question alone", async () => {
    const { run, pause, remote, by } = await linked();
    const guest = await by(await remote.served.link({ pause })).open(run.id);
    const seen: string[] = [];
    guest.subscribe((view) => seen.push(JSON.stringify(view)));
    await run.answer(pause, "A 12");
    await expect.poll(() => guest.getSnapshot().status).toBe("completed");
    await answerWizard(run, ["yes"]);
    await guest.refresh();
    expect(seen.join("")).not.toMatch(/A 12|Rome|valid/);
  });

  test("says where an answer does not fit", async () => {
    const executor = createExecutor({
      store: memoryStore(),
      workflows: [{ name: "w", blocks: [{ id: "age", type: "GetInput", inputs: { prompt: "Age?", validation_pattern: "^[0-9]+$" } }] }],
    });
    const run = await executor.start("w");
    await run.settled();
    const { served } = overServer(executor, { linkKey });
    const pause = run.getSnapshot().pauses[0]!.id;
    const response = await served.fetch(
      new Request(`http://server.test/runs/${run.id}/answers`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${await served.link({ pause })}` },
        body: JSON.stringify({ answers: { [pause]: "old" } }),
      }),
    );
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ result: { status: "failure", error: { code: "RESPONSE_INVALID" } } });
    expect(run.getSnapshot().status).toBe("paused");
  });
});

describe("a link to a run", () => {
  test("continues all of it, as often as you like, and nothing else", async () => {
    const { executor, run, remote, by } = await linked();
    const other = await beginWizard(executor, 0);
    const holder = by(await remote.client.runs.list().then(() => remote.served.link({ run: run.id })));
    const again = await holder.open(run.id);
    expect(again.getSnapshot().inputs).toEqual({ who: "Ada" });
    expect((await again.back()).status).toBe("paused");
    expect(await answerWizard(again, ANSWERS)).toBe("success");
    expect((await holder.open(run.id)).getSnapshot().outputs).toEqual(OUTPUTS);
    expect((await holder.open(`${run.id}/papers`)).getSnapshot().status).toBe("completed");
    await expect(holder.open(other.id)).rejects.toMatchObject(denied);
    await expect(holder.runs.list()).rejects.toMatchObject(denied);
    await expect(again.cancel()).rejects.toMatchObject(denied);
    await expect(holder.runs.delete(run.id)).rejects.toMatchObject(denied);
  });
});

describe("what no link does", () => {
  const paths = (run: string, pause: string): { readonly [name: string]: string } => ({
    run,
    pause,
    checkpoint: pause,
    to: pause,
    name: "a.txt",
  });
  /** What a link to a question is for; what it says of it beyond that is tried above. */
  const OF_PAUSE = new Set<OperationName>(["executor.open", "run.settled", "run.subscribe", "run.answer", "run.decline", "run.saveDraft"]);
  const BODIES: { readonly [name in OperationName]?: (run: string, pause: string) => object } = {
    "executor.load": () => ({ workflow: { name: "w", blocks: [] } }),
    "executor.start": () => ({ workflow: "application" }),
    "executor.answer": () => ({ response: "x" }),
    "run.answer": (_, pause) => ({ answers: { [pause.replace(/\.\d+$/, ".0")]: "x" } }),
    "run.revise": () => ({ response: "x" }),
    "run.previewRevise": () => ({ response: "x" }),
    "run.signal": () => ({ name: "rain" }),
    "runs.import": (run) => ({ file: `{"format":"wavepoint-run","version":1,"run":"${run}"}\n` }),
    "runs.checkImport": (run) => ({ file: `{"format":"wavepoint-run","version":1,"run":"${run}"}\n` }),
    "runs.transfer": () => ({ to: "there" }),
    "checkpoints.trim": () => ({ maxPerWorkflow: 1 }),
    "server.link": (run) => ({ run }),
  };

  async function statusOf(name: OperationName, { run, pause, remote }: Linked, token: string): Promise<number> {
    const { verb, path } = OPERATIONS[name];
    const places = paths(run.id, pause);
    const hasBody = verb === "POST" || verb === "PUT";
    const request = new Request(`http://server.test${path.replaceAll(/\{(\w+)\}/g, (_, place: string) => places[place]!)}`, {
      method: verb,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(hasBody && { body: JSON.stringify(BODIES[name]?.(run.id, pause) ?? {}) }),
    });
    const response = await remote.served.fetch(request);
    await response.body?.cancel();
    return response.status;
  }

  const names = Object.keys(OPERATIONS) as OperationName[];

  test("one to a question: everything else, from every endpoint", async () => {
    const one = await linked();
    const token = await one.remote.served.link({ pause: one.pause });
    const beyond = names.filter((name) => !OF_PAUSE.has(name) || name === "run.answer");
    expect(beyond.length).toBeGreaterThan(35);
    for (const name of beyond) expect([name, await statusOf(name, one, token)]).toEqual([name, 403]);
    expect(one.run.getSnapshot()).toMatchObject({ status: "paused", pauses: [{ id: one.pause }] });
  });

  test("one to a run: what needs more than to see and answer, and what is about no run", async () => {
    const one = await linked();
    const token = await one.remote.served.link({ run: one.run.id });
    const isBeyond = (name: OperationName): boolean =>
      !["read", "answer"].includes(OPERATIONS[name].right) || !/\{(run|pause|checkpoint)\}/.test(OPERATIONS[name].path);
    const beyond = names.filter(isBeyond);
    expect(beyond.length).toBeGreaterThan(15);
    for (const name of beyond) expect([name, await statusOf(name, one, token)]).toEqual([name, 403]);
  });

  test("any after its time, with a changed letter, of another server, or where the server has no key", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { run, pause, remote, by } = await linked();
      const token = await remote.served.link({ pause, expiresInMs: 60_000 });
      await by(token).open(run.id);
      const [form, content, signature] = token.split(".") as [string, string, string];
      const longer = btoa(JSON.stringify({ run: run.id, expiresAt: 9e15 })).replace(/=+$/, "");
      for (const forged of [`${form}.${longer}.${signature}`, `${form}.${content}.${"A".repeat(43)}`, `${form}.${content}`, "wpl1.x"])
        await expect(by(forged).open(run.id)).rejects.toMatchObject(denied);
      const others = overServer(wizardExecutor(memoryStore()), { linkKey: linkKey.replace("0", "f") });
      await expect(by(await others.served.link({ pause })).open(run.id)).rejects.toMatchObject(denied);
      vi.advanceTimersByTime(60_001);
      await expect(by(token).open(run.id)).rejects.toMatchObject({ ...denied, message: expect.stringContaining("expired") });
    } finally {
      vi.useRealTimers();
    }
    const { served } = overServer(wizardExecutor(memoryStore()), { token: "t" });
    await expect(served.link({ run: "x" })).rejects.toMatchObject({ code: "REQUEST_INVALID" });
  });

  test("is made of nothing, of both, for no time, or with a key that can be guessed", async () => {
    const { pause, run, remote } = await linked();
    for (const of of [{}, { pause, run: run.id }, { pause: "chk_x.1" }, { pause, expiresInMs: 0 }])
      await expect(remote.served.link(of)).rejects.toMatchObject({ code: "REQUEST_INVALID" });
    expect(() => overServer(wizardExecutor(memoryStore()), { linkKey: "short" })).toThrow(/linkKey/);
  });
});
