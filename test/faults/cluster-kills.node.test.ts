import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createExecutor, type Executor, type RunHead } from "wavepoint";
import { openCluster } from "wavepoint/cluster/dbos";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { BODIES, CLUSTER_WORKFLOWS, clusterBlocks, STEPS } from "../support/cluster-runs.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres-server.ts";
import { countBegun, findUnsteadyKeys, type Testimony } from "../support/witness.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const RUNS = Number(process.env.WAVEPOINT_CLUSTER_RUNS ?? (IS_LONG ? 1_000 : 16));
const WORKERS = IS_LONG ? 4 : 2;
const LEASE_MS = IS_LONG ? 3_000 : 1_000;
/** Runs that end between two blows. */
const BETWEEN = IS_LONG ? 40 : 3;
const PATIENCE_MS = IS_LONG ? 3_600_000 : 60_000;
/** Answers that are under way at the same time. */
const PEOPLE = 16;

let built: BuiltProcess | undefined;
let server: PostgresServer | undefined;
beforeAll(async () => {
  if (!hasPostgres) return;
  built = await buildProcess(new URL("processes/cluster-worker.ts", import.meta.url));
  server = await startPostgres();
}, 120_000);
afterAll(async () => {
  await server?.stop();
  built?.remove();
});

interface Worker {
  readonly by: string;
  readonly child: ChildProcess;
  readonly ready: Promise<void>;
  readonly gone: Promise<number | NodeJS.Signals | null>;
  errors(): string;
}

function startWorker(address: string, ledger: string): Worker {
  const child = spawn(process.execPath, [built!.script, address, ledger, String(LEASE_MS)], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const gone = new Promise<number | NodeJS.Signals | null>((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
  const ready = new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
  return { by: String(child.pid), child, ready, gone, errors: () => errors };
}

/** The same call until the database takes it. */
async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error as { readonly code?: string }).code?.startsWith("STORE_")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function allRuns(executor: Executor, query: object): Promise<readonly RunHead[]> {
  const found: RunHead[] = [];
  for (let after: string | undefined; ;) {
    const page = await insist(() => executor.runs.list({ ...query, limit: 500, ...(after !== undefined && { after }) }));
    found.push(...page.items);
    if (page.next === undefined) return found;
    after = page.next;
  }
}

/** Answers what runs ask, until the signal aborts. Gives what was acknowledged, by the id of the question. */
async function answerAll(executor: Executor, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const acknowledged = new Map<string, string>();
  const underWay = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    for (const head of await allRuns(executor, { status: "paused", topLevel: true })) {
      if (underWay.size >= PEOPLE) break;
      if (underWay.has(head.id)) continue;
      const work = insist(async () => {
        const run = await executor.open(head.id);
        await run.refresh();
        const [pause] = run.getSnapshot().pauses;
        if (!pause) return;
        const response = `answer to ${pause.id}`;
        const result = await run.answer(pause.id, response, { signal: AbortSignal.any([signal, AbortSignal.timeout(LEASE_MS * 20)]) });
        if (result.status !== "failure") acknowledged.set(pause.id, response);
        else expect(result.error.code).toBe("PAUSE_ALREADY_ANSWERED");
      }).catch((error: unknown) => {
        // It waits no longer for what follows.
        if (!["ABORTED", "TimeoutError", "AbortError"].includes(String((error as { code?: unknown }).code ?? (error as Error).name)))
          throw error;
      });
      underWay.set(
        head.id,
        work.finally(() => underWay.delete(head.id)),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await Promise.all(underWay.values());
  return acknowledged;
}

test.skipIf(!hasPostgres)(
  "D1, D8, D23: workers that are killed and frozen, a database that crashes and connections that are cut lose nothing, and record nothing twice",
  async () => {
    const began = performance.now();
    const folder = mkdtempSync(join(tmpdir(), "wavepoint-cluster-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const ledger = join(folder, "ledger");
    const address = server!.newPlace();
    const read = (): readonly Testimony[] =>
      readFileSync(ledger, "utf8")
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Testimony);

    const store = await openCluster(address, { leaseMs: LEASE_MS });
    const executor = createExecutor({ store, workflows: CLUSTER_WORKFLOWS, blocks: clusterBlocks(ledger, "client") });
    const workers = Array.from({ length: WORKERS }, () => startWorker(address, ledger));
    onTestFinished(async () => {
      for (const { child } of workers) child.kill("SIGKILL");
      await Promise.all(workers.map(({ gone }) => gone));
      await executor.close();
      await store.close();
    });
    const living = () => workers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
    const errors = () => workers.map((one) => one.errors()).join("");
    const completed = async (): Promise<number> => (await allRuns(executor, { status: "completed", topLevel: true })).length;

    const people = new AbortController();
    const answered = answerAll(executor, people.signal);
    const starting = (async () => {
      for (let i = 0; i < RUNS; i += 1)
        await insist(() => executor.start("trip", { isLong: i % 6 === 0 }, { id: `trip-${i}`, ifExists: "resume" }));
    })();
    await Promise.all(workers.map(({ ready }) => ready));

    /** What befalls the cluster, in turns. */
    const counts = { killed: 0, frozen: 0, crashed: 0, cut: 0 };
    const blows: readonly (() => Promise<void>)[] = [
      async () => {
        counts.killed += 1;
        const [one] = living();
        one!.child.kill("SIGKILL");
        await one!.gone;
        workers.push(startWorker(address, ledger));
        await workers.at(-1)!.ready;
      },
      async () => {
        counts.frozen += 1;
        const one = living().at(-1)!;
        one.child.kill("SIGSTOP");
        await new Promise((resolve) => setTimeout(resolve, LEASE_MS * 2));
        one.child.kill("SIGCONT");
      },
      async () => {
        counts.crashed += 1;
        await server!.crash();
      },
      async () => {
        counts.cut += 1;
        const client = new pg.Client({ connectionString: address });
        await client.connect();
        await client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
        );
        await client.end();
      },
    ];
    for (let blow = 0; ; blow += 1) {
      const wanted = (blow + 1) * BETWEEN;
      if (wanted >= RUNS) break;
      await vi.waitFor(async () => expect(await completed(), errors().slice(-2_000)).toBeGreaterThanOrEqual(wanted), {
        timeout: PATIENCE_MS,
        interval: 50,
      });
      await blows[blow % blows.length]!();
    }
    await starting;
    await vi.waitFor(async () => expect(await completed(), errors().slice(-4_000)).toBe(RUNS), { timeout: PATIENCE_MS, interval: 200 });
    people.abort();
    const acknowledged = await answered;
    const tookMs = performance.now() - began;

    // Nothing waits, and no order is left over.
    await expect.poll(() => store.health()).toMatchObject({ executing: 0, waiting: 0, later: 0 });
    for (const { child } of living()) child.kill("SIGTERM");
    const ends = await Promise.all(workers.map(({ gone }) => gone));
    expect(
      ends.filter((end) => end !== 0 && end !== "SIGKILL"),
      errors(),
    ).toEqual([]);

    const ended = new Set(read().flatMap((line) => (line.type === "ended" ? [`${line.run} ${line.block} ${line.proof}`] : [])));
    let steps = 0;
    for (const { id } of await allRuns(executor, {})) {
      const run = await executor.open(id);
      const records = await run.steps();
      const names = records.map(({ block, item }) => `${block}${item === undefined ? "" : `[${item}]`}`);
      expect(names.length).toBe(new Set(names).size);
      steps += records.length;
      for (const [i, { outputs }] of records.entries()) {
        const proof = outputs?.["proof"];
        if (proof !== undefined) expect(ended).toContain(`${id} ${names[i]} ${String(proof)}`);
      }
      for (const { pause, answer } of await run.answers()) {
        const given = acknowledged.get(String(pause));
        if (given !== undefined) expect(answer).toBe(given);
      }
    }
    expect(steps).toBe(RUNS * STEPS);
    const testimony = read();
    const begun = countBegun(testimony);
    expect(begun.size).toBe(RUNS * BODIES);
    expect(findUnsteadyKeys(testimony)).toEqual([]);
    // With the same key, as is seen above. What they gave stands in the journal once.
    const twice = [...begun.values()].filter((count) => count > 1).length;
    expect(twice).toBeLessThan(begun.size / 10);
    if (!IS_LONG) return;
    const most = Math.max(...begun.values());
    const figures = { runs: RUNS, workers: WORKERS, ...counts, tookMs: Math.round(tookMs), steps, bodies: begun.size, twice, most };
    process.stdout.write(`${JSON.stringify({ ...figures, acknowledged: acknowledged.size })}\n`);
  },
  PATIENCE_MS * 2,
);
