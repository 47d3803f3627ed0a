import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import type { Executor } from "wavepoint";
import { httpListener } from "wavepoint/node";
import { memoryStore } from "wavepoint/store/memory";
import { serve, type Asked, type Right, type ServeOptions } from "wavepoint/server";
import { OPERATIONS, RIGHTS, type OperationName } from "../../src/server/protocol/operations.ts";
import { surveyExecutor } from "../browser/worker/survey.ts";
import { beginWizard, wizardExecutor } from "../support/moving-wizard.ts";
import { ADDRESS } from "./served.ts";

/** An executor that no request may touch. */
const untouched = new Proxy({} as Executor, {
  get(_target, name) {
    throw new Error(`Something asked for ${String(name)}.`);
  },
});

/** What each operation takes that needs more than what stands in its address. */
const BODIES: { readonly [name in OperationName]?: object } = {
  "executor.load": { workflow: { name: "w", blocks: [] } },
  "executor.start": { workflow: "w" },
  "executor.answer": { response: "x" },
  "run.answer": { answers: {} },
  "run.revise": { response: "x" },
  "run.previewRevise": { response: "x" },
  "run.signal": { name: "rain" },
  "runs.import": { file: '{"format":"wavepoint-run","version":1,"run":"run_1"}\n' },
  "runs.checkImport": { file: '{"format":"wavepoint-run","version":1,"run":"run_1"}\n' },
  "runs.transfer": { to: "there" },
  "server.link": { run: "run_1" },
  "checkpoints.trim": { maxPerWorkflow: 1 },
};
const PARAMETERS: { readonly [name: string]: string } = {
  run: "run_1",
  pause: "pause_1.0",
  checkpoint: "chk_1.0",
  to: "chk_1.1",
  name: "a.txt",
};

function requestOf(name: OperationName, headers: { readonly [name: string]: string } = {}, input: object = BODIES[name] ?? {}): Request {
  const { verb, path } = OPERATIONS[name];
  const address = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => PARAMETERS[parameter]!);
  return new Request(`${ADDRESS}${address}`, {
    method: verb,
    headers: { ...(verb === "GET" ? {} : { "content-type": "application/json" }), ...headers },
    ...(verb === "GET" || verb === "DELETE" ? {} : { body: JSON.stringify(input) }),
  });
}

/** Those that name their run in the body. */
const OF_BODY: ReadonlySet<OperationName> = new Set<OperationName>(["runs.import", "runs.checkImport", "server.link"]);

const operations = Object.keys(OPERATIONS) as OperationName[];

async function denied(options: Partial<ServeOptions>, request: Request): Promise<readonly [number, unknown]> {
  const errors: unknown[] = [];
  const { fetch } = serve({ executor: untouched, allow: RIGHTS, onError: (error) => errors.push(error), ...options });
  const response = await fetch(request);
  const { error } = (await response.json()) as { readonly error: { readonly code: string } };
  expect(errors).toEqual([]);
  return [response.status, error.code];
}

describe("a request without a right gets nothing", () => {
  test("the table has all operations", () => expect(operations.length).toBeGreaterThan(40));

  test.each(operations)("%s, without the token", async (name) => {
    expect(await denied({ token: "secret" }, requestOf(name))).toEqual([401, "ACCESS_DENIED"]);
    expect(await denied({ token: "secret" }, requestOf(name, { authorization: "Bearer other" }))).toEqual([401, "ACCESS_DENIED"]);
  });

  test.each(operations)("%s, where it is not allowed here", async (name) => {
    const allow = RIGHTS.filter((right) => right !== OPERATIONS[name].right);
    expect(await denied({ authorize: () => true, allow }, requestOf(name))).toEqual([403, "ACCESS_DENIED"]);
  });

  test.each(operations)("%s, where it is not authorized", async (name) => {
    const asked: Asked[] = [];
    const authorize = (_request: Request, one: Asked): boolean => asked.push(one) === 0;
    expect(await denied({ authorize }, requestOf(name))).toEqual([403, "ACCESS_DENIED"]);
    expect(asked.map(({ operation, right }) => [operation, right])).toEqual([[name, OPERATIONS[name].right]]);
    const isOfRun = /\{(?:run|pause|checkpoint)\}/.test(OPERATIONS[name].path) || OF_BODY.has(name);
    expect(asked[0]!.run).toBe(isOfRun ? "run_1" : undefined);
  });

  test("a request is answered which rights it has, here and with one run", async () => {
    const rightsOf = async (options: Partial<ServeOptions>, run = ""): Promise<unknown> =>
      (await serve({ executor: untouched, allow: RIGHTS, ...options }).fetch(new Request(`${ADDRESS}/rights${run}`))).json();
    expect(await rightsOf({ authorize: () => true, allow: ["answer", "read"] })).toEqual(["read", "answer"]);
    const authorize = (_request: Request, { right, run }: Asked): boolean => right === "read" || (right === "manage" && run === "run_mine");
    expect(await rightsOf({ authorize })).toEqual(["read"]);
    expect(await rightsOf({ authorize }, "?run=run_mine")).toEqual(["read", "manage"]);
    expect(await rightsOf({ authorize }, "?run=run_other")).toEqual(["read"]);
  });

  test.each(operations)("%s, from a page elsewhere, and over another name", async (name) => {
    const authorize = (): boolean => true;
    expect(await denied({ authorize }, requestOf(name, { origin: "https://evil.example" }))).toEqual([403, "ACCESS_DENIED"]);
    expect(await denied({ authorize, hosts: ["localhost"] }, requestOf(name))).toEqual([403, "ACCESS_DENIED"]);
  });

  test.each([
    ["executor.start", { workflow: { name: "w", blocks: [] } }, { right: "load" }],
    ["executor.start", { workflow: "w", after: "other" }, { right: "read", run: "run_other" }],
    ["run.plan", { workflow: { name: "w", blocks: [] } }, { right: "load", run: "run_1" }],
    ["run.resume", { definition: "latest" }, { right: "manage", run: "run_1" }],
    ["runs.import", { file: "{}\n", accept: true }, { right: "load" }],
    ["runs.checkImport", { file: "{}\n", accept: true }, { right: "load" }],
  ] as const)("%s with %j needs %j, too", async (name, body, need) => {
    const request = requestOf(name, {}, body);
    const asked: Asked[] = [];
    const authorize = (_request: Request, one: Asked): boolean => asked.push(one) === 1;
    expect(await denied({ authorize }, request)).toEqual([403, "ACCESS_DENIED"]);
    expect(asked[1]).toMatchObject(need);
  });

  test("/health says whether the store answers, to anyone, and nothing else", async () => {
    const ask = async (executor: Executor, address = ADDRESS, method = "GET"): Promise<readonly [number, unknown]> => {
      const { fetch, close } = serve({ executor, token: "secret", hosts: ["server.test"], basePath: "/runs" });
      const response = await fetch(new Request(`${address}/runs/health`, { method, headers: { origin: "https://evil.example" } }));
      const answer: unknown = await response.json();
      close();
      expect((await fetch(new Request(`${address}/runs/health`))).status).toBe(503);
      return [response.status, answer];
    };
    const executor = surveyExecutor(memoryStore());
    expect(await ask(executor)).toEqual([200, { status: "ok" }]);
    // Balancers ask by an address.
    expect(await ask(executor, "http://10.0.0.7:4100")).toEqual([200, { status: "ok" }]);
    expect(await ask(untouched)).toEqual([503, { status: "unavailable" }]);
    expect(await ask(executor, ADDRESS, "POST")).toMatchObject([403, { error: { code: "ACCESS_DENIED" } }]);
  });

  test("/health asks the store once, however many ask", async () => {
    let asked = 0;
    const store = memoryStore();
    const counting: typeof store = {
      ...store,
      async runs(query) {
        asked += 1;
        return store.runs(query);
      },
    };
    const { fetch } = serve({ executor: surveyExecutor(counting), token: "secret" });
    await Promise.all(Array.from({ length: 20 }, () => fetch(new Request(`${ADDRESS}/health`))));
    expect(asked).toBe(1);
  });

  test("a server says who may call, or is not made", () => {
    expect(() => serve({ executor: untouched })).toThrow(/authorize/);
  });
});

test("by default a client may look, start and answer, and no more", () => {
  const rights = new Set<Right>(["read", "start", "answer"]);
  const open = operations.filter((name) => rights.has(OPERATIONS[name].right));
  expect(open).toContain("run.answer");
  for (const name of ["run.cancel", "runs.delete", "runs.export", "executor.load", "executor.cleanup", "executor.fork"])
    expect(open).not.toContain(name);
});

describe("lists", () => {
  test("have only the runs that the request may read", async () => {
    const executor = surveyExecutor(memoryStore());
    for (const who of ["Ada", "Grace"]) await (await executor.start("survey", { who }, { id: who })).settled();
    const authorize = async (_request: Request, { run, view }: Asked): Promise<boolean> =>
      run === undefined || (await view())?.inputs["who"] === "Ada";
    const { fetch } = serve({ executor, authorize });
    const read = async (path: string): Promise<{ readonly items: readonly { readonly id: string; readonly run?: string }[] }> =>
      (await fetch(new Request(`${ADDRESS}${path}`))).json() as never;
    expect((await read("/runs?limit=10")).items.map(({ id }) => id)).toEqual(["run_Ada"]);
    const checkpoints = (await read("/checkpoints")).items;
    expect(new Set(checkpoints.map(({ run }) => run))).toEqual(new Set(["run_Ada"]));
    expect((await fetch(new Request(`${ADDRESS}/runs/Grace`))).status).toBe(403);
    expect((await fetch(new Request(`${ADDRESS}/runs/Ada`))).status).toBe(200);
  });
});

describe("pages elsewhere", () => {
  const { fetch } = serve({ executor: surveyExecutor(memoryStore()), authorize: () => true, origins: ["https://app.example"] });
  const from = (origin: string, method = "GET"): Promise<Response> =>
    fetch(new Request(`${ADDRESS}/runs`, { method, headers: { origin } }));

  test("may call where they are listed, after asking first", async () => {
    const asked = await from("https://app.example", "OPTIONS");
    expect([asked.status, asked.headers.get("access-control-allow-methods")]).toEqual([204, "POST, GET"]);
    expect((await from("https://app.example")).headers.get("access-control-allow-origin")).toBe("https://app.example");
  });

  test("else see nothing", async () => {
    const response = await from("https://evil.example", "OPTIONS");
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });

  test("of the server itself may always call", async () => {
    expect((await from(ADDRESS)).status).toBe(200);
  });

  test("are recognised by the name that a request was sent to, where a framework gives it another address", async () => {
    const send = async (headers: { readonly [name: string]: string }, on = fetch): Promise<number> =>
      (await on(new Request("http://localhost:3000/runs", { headers }))).status;
    expect(await send({ host: "forms.example:8080", origin: "http://forms.example:8080" })).toBe(200);
    expect(await send({ host: "forms.example", origin: "https://forms.example" })).toBe(200);
    expect(await send({ host: "forms.example", origin: "http://localhost:3000" })).toBe(403);
    expect(await send({ host: "no host", origin: "http://localhost:3000" })).toBe(403);
    const named = serve({ executor: surveyExecutor(memoryStore()), authorize: () => true, hosts: ["localhost"] });
    expect(await send({ host: "evil.example" }, named.fetch)).toBe(403);
    expect(await send({ host: "localhost:3000" }, named.fetch)).toBe(200);
  });
});

describe("a run that another one called", () => {
  const linkKey = "0123456789abcdef0123456789abcdef";

  test("shows nothing of its caller to those who may see it alone, by any request", async () => {
    const executor = wizardExecutor(memoryStore());
    const outer = await beginWizard(executor, 3);
    const called = (await executor.runs.list({ topLevel: false })).items.find(({ parent }) => parent)!.id;
    const authorize = (_request: Request, { run }: Asked): boolean => run === called;
    const { fetch, link } = serve({ executor, authorize, linkKey });
    const headers = { authorization: `Bearer ${await link({ run: called })}` };
    for (const by of [{}, headers]) {
      const response = await fetch(new Request(`${ADDRESS}/runs/${called}/back`, { method: "POST", headers: by }));
      const { result, view } = (await response.json()) as { readonly result: object; readonly view: { readonly id: string } };
      expect(result).toMatchObject({ status: "failure", error: { code: "RUN_ENDED" } });
      expect(view.id).toBe(called);
      expect(JSON.stringify(view)).not.toContain("Rome");
    }
    expect((await fetch(new Request(`${ADDRESS}/runs/${outer.id}`))).status).toBe(403);
  });
});

describe("behind a socket", () => {
  test("an address with two slashes does not make a page elsewhere one of the server's own", async () => {
    const executor = surveyExecutor(memoryStore());
    await (await executor.start("survey", { who: "Ada" }, { id: "one" })).settled();
    const server = createServer(httpListener(serve({ executor, authorize: () => true, allow: RIGHTS }).fetch));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const send = (path: string, headers: { readonly [name: string]: string }): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = request({ port, host: "127.0.0.1", method: "POST", path, headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode!);
        });
        sent.on("error", reject).end();
      });
    for (const path of ["//evil.example/runs/one/cancel", "/runs/one/cancel", "http://evil.example/runs/one/cancel"])
      expect([403, 404]).toContain(await send(path, { origin: "http://evil.example" }));
    expect((await executor.open("one")).getSnapshot().status).toBe("paused");
    expect(await send("/runs/one/cancel", { origin: `http://127.0.0.1:${port}` })).toBe(200);
    server.close();
    await executor.close();
  });
});
