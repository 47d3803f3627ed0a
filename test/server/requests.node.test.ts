import { describe, expect, test } from "vitest";
import { createExecutor, WorkflowError } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { serve } from "wavepoint/server";
import { surveyExecutor } from "../browser/worker/survey.ts";
import { ADDRESS, ALL_RIGHTS, overServer } from "./served.ts";

const executor = surveyExecutor(memoryStore());
const { fetch } = serve({ executor, authorize: () => true, allow: ALL_RIGHTS, maxBodyBytes: 100_000 });

async function send(
  path: string,
  init: RequestInit & { readonly duplex?: "half" } = {},
  on = fetch,
): Promise<readonly [number, string?, string?]> {
  const response = await on(new Request(`${ADDRESS}${path}`, init));
  const { error } = (await response.json()) as { readonly error?: { readonly code: string; readonly message: string } };
  return error ? [response.status, error.code, error.message] : [response.status];
}

const post = (body: unknown, type = "application/json"): RequestInit => ({
  method: "POST",
  headers: { "content-type": type },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

describe("what cannot be read is refused, and says why", () => {
  test.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["a member that is unknown", { workflow: "survey", polcy: {} }],
    ["a member of another type", { workflow: 7 }],
    ["a missing member", {}],
  ])("%s", async (_what, body) => {
    expect((await send("/runs", post(body))).slice(0, 2)).toEqual([400, "REQUEST_INVALID"]);
  });

  test.each([
    ["a prototype", '{"workflow":"survey","inputs":{"__proto__":{"x":1}}}'],
    ["nesting without end", `{"workflow":"survey","inputs":{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`],
    ["bytes that are none", '{"workflow":"survey","inputs":{"a":{"~":["Uint8Array","*"]}}}'],
    ["half a number", '{"workflow":"survey","inputs":{"a":{"~":["Float64Array","AAA="]}}}'],
    ["a kind that there is not", '{"workflow":"survey","inputs":{"a":{"~":["RegExp","(a+)+"]}}}'],
    ["an endless bigint", `{"workflow":"survey","inputs":{"a":{"~":["BigInt","${"9".repeat(5)}x"]}}}`],
  ])("%s", async (_what, body) => {
    expect((await send("/runs", post(body))).slice(0, 2)).toEqual([422, "VALUE_UNSERIALIZABLE"]);
  });

  test("a form of a page elsewhere", async () => {
    expect((await send("/runs", post({ workflow: "survey" }, "text/plain"))).slice(0, 2)).toEqual([400, "REQUEST_INVALID"]);
  });

  test("text that is no UTF-8", async () => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: new Uint8Array([0x7b, 0xff, 0x7d]) };
    expect((await send("/runs", init)).slice(0, 2)).toEqual([400, "REQUEST_INVALID"]);
  });

  test("a body without end is read no further than the limit", async () => {
    let read = 0;
    const body = new ReadableStream({ pull: (controller) => void controller.enqueue(new Uint8Array(10_000).fill(++read ? 32 : 0)) });
    const init = { method: "POST", headers: { "content-type": "application/json" }, body, duplex: "half" as const };
    expect((await send("/runs", init)).slice(0, 2)).toEqual([413, "LIMIT_EXCEEDED"]);
    expect(read).toBeLessThan(20);
  });

  test.each([["/nowhere"], ["/runs/%ZZ"], ["/runs//tree"], ["/"]])("the address %s", async (path) => {
    expect((await send(path)).slice(0, 2)).toEqual([404, "REQUEST_INVALID"]);
  });

  test("another verb", async () => {
    const response = await fetch(new Request(`${ADDRESS}/runs`, { method: "DELETE" }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, GET"]);
  });
});

describe("errors keep their code", () => {
  test.each([
    ["/runs/none", {}, 404, "RUN_NOT_FOUND"],
    ["/runs?limit=0", {}, 400, "STORE_QUERY_INVALID"],
    ["/runs?limit=many", {}, 400, "REQUEST_INVALID"],
    ["/runs", post({ workflow: "none" }), 404, "WORKFLOW_NOT_FOUND"],
    ["/runs", post({ workflow: "survey", inputs: { who: 7 } }), 422, "INPUT_INVALID"],
    ["/checkpoints/chk_none.0", {}, 404, "CHECKPOINT_NOT_FOUND"],
  ] as const)("%s %j", async (path, init, status, code) => {
    expect((await send(path, init)).slice(0, 2)).toEqual([status, code]);
  });

  test("a wrong answer is a result with a status of its own", async () => {
    await (await executor.start("survey", { who: "Ada" }, { id: "wrong" })).settled();
    const response = await fetch(new Request(`${ADDRESS}/pauses/pause_wrong.0/answer`, post({ response: "wine" })));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      result: { status: "failure", error: { code: "RESPONSE_INVALID" } },
      view: { status: "paused" },
    });
  });

  test("only its owner sees what the server stands on", async () => {
    const told: unknown[] = [];
    const broken = { ...memoryStore(), head: () => Promise.reject(new WorkflowError("STORE_FAILED", "/srv/secret: disk on fire")) };
    const server = serve({ executor: createExecutor({ store: broken }), authorize: () => true, onError: (error) => told.push(error) });
    const [status, code, message] = await send("/runs/any", {}, server.fetch);
    expect([status, code]).toEqual([500, "STORE_FAILED"]);
    expect(message).not.toContain("secret");
    expect(String(told)).toContain("disk on fire");
  });
});

describe("waiting", () => {
  test("ends after the time that the client wants, and the run goes on", async () => {
    const waits = createExecutor({
      store: memoryStore(),
      workflows: [{ name: "w", blocks: [{ id: "wait", type: "Wait", inputs: { duration_ms: 60_000 } }] }],
    });
    const server = serve({ executor: waits, authorize: () => true });
    await waits.start("w", {}, { id: "w" });
    const response = await server.fetch(new Request(`${ADDRESS}/runs/w/result`, { headers: { prefer: "wait=0" } }));
    expect([response.status, await response.json()]).toMatchObject([202, { result: { status: "running", run: "run_w" } }]);
    await waits.close();
  });

  test("ends with the server, which takes no more", async () => {
    const waits = createExecutor({
      store: memoryStore(),
      workflows: [{ name: "w", blocks: [{ id: "wait", type: "Wait", inputs: { duration_ms: 60_000 } }] }],
    });
    const server = serve({ executor: waits, authorize: () => true });
    await waits.start("w", {}, { id: "w" });
    const waiting = server.fetch(new Request(`${ADDRESS}/runs/w/result`));
    await new Promise((resolve) => setTimeout(resolve, 20));
    server.close();
    expect([202, 503]).toContain((await waiting).status);
    expect((await server.fetch(new Request(`${ADDRESS}/runs`))).status).toBe(503);
    await waits.close();
  });
});

test("a client that watches for runs of dead processes asks again and again, until it is closed", async () => {
  const store = memoryStore();
  const work = { name: "w", blocks: [{ id: "rest", type: "Wait", inputs: { duration_ms: 3_600_000 } }] };
  const behind = createExecutor({ store, workflows: [work] });
  const asked: number[] = [];
  const counted = new Proxy(behind, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === "recover") asked.push(Date.now());
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  const { client } = overServer(counted);
  const watching = client.recover({ watch: true, everyMs: 20 });
  await expect.poll(() => asked.length).toBeGreaterThan(2);
  await client.close();
  expect(await watching).toEqual({ runs: [], failed: [] });
  const ending = new AbortController();
  const again = overServer(counted).client.recover({ watch: true, everyMs: 20, signal: ending.signal });
  ending.abort();
  await expect(again).rejects.toMatchObject({ code: "ABORTED" });
  await behind.close();
});
