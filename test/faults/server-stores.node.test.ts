import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openStore } from "wavepoint/store/open";
import { s3Store } from "wavepoint/store/s3";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { hasPostgres, startPostgres } from "../support/postgres-server.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { AWS_KEYS, signedFetch, startS3Stub } from "../support/s3-stub.ts";
import { findUnsteadyKeys, listStored, type Testimony } from "../support/witness.ts";
import { openRunFolder, type ServerPlace, type WorkerProcess } from "../support/worker-processes.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const PROCESSES = IS_LONG ? 4 : 2;
/** How often the process that executes is hit, in turns: stopped until another has taken the run, and killed. */
const BLOWS = IS_LONG ? 30 : 2;
/** Blocks that begin between two blows. */
const BETWEEN = IS_LONG ? 6 : 3;
// Slow enough that a busy machine does not miss the moments.
const SHAPE = { rounds: IS_LONG ? 150 : 8, parallel: 2, delayMs: 50 };

let built: BuiltProcess | undefined;
beforeAll(async () => {
  built = await buildProcess(new URL("processes/worker.ts", import.meta.url));
}, 120_000);
afterAll(() => built?.remove());

async function redisPlace(): Promise<ServerPlace> {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const address = server.newPlace();
  return { address, open: () => openStore(address) };
}

async function postgresPlace(): Promise<ServerPlace> {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const address = server.newPlace();
  return { address, open: () => openStore(address) };
}

async function s3Place(): Promise<ServerPlace> {
  const stub = await startS3Stub();
  onTestFinished(() => stub.stop());
  return {
    address: "s3://runs/one",
    env: { ...AWS_KEYS, AWS_ENDPOINT_URL_S3: stub.endpoint },
    open: async () => s3Store({ bucket: stub.bucket, prefix: "one", fetch: signedFetch }),
  };
}

const began = (lines: readonly Testimony[]) => lines.filter(({ type }) => type === "began");
const isGone = ({ child }: WorkerProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const PLACES: readonly (readonly [name: string, make: () => Promise<ServerPlace>])[] = [
  ["S3", s3Place],
  ...(hasRedis ? [["Redis", redisPlace] as const] : []),
  ...(hasPostgres ? [["Postgres", postgresPlace] as const] : []),
];

test.each(PLACES)(
  "D1, D8: %s: of a run whose processes are killed, and stopped for longer than their leases, nothing is lost, and no step is recorded twice",
  async (_, makePlace) => {
    const folder = openRunFolder(SHAPE, await makePlace());
    onTestFinished(() => folder.remove());
    const workers = [folder.spawn(built!.script)];
    await folder.until((lines) => lines.some(({ type }) => type === "ready"), workers[0]!);
    while (workers.length < PROCESSES) workers.push(folder.spawn(built!.script));

    const beganBesides = (by: string) => began(folder.lines()).filter((line) => line.by !== by).length;
    for (let blow = 0; blow < BLOWS; blow += 1) {
      const before = began(folder.lines()).length;
      await folder.until(
        (lines) => began(lines).length >= before + BETWEEN,
        workers.find((worker) => !isGone(worker))!,
      );
      const holder = workers.find(({ by }) => by === began(folder.lines()).at(-1)!.by)!;
      holder.child.kill(blow % 2 === 0 ? "SIGSTOP" : "SIGKILL");
      // Else it would be taken for one that lives where another has begun a block at this moment.
      if (blow % 2 !== 0) await holder.gone;
      const besides = beganBesides(holder.by);
      const other = workers.find((worker) => worker !== holder && !isGone(worker))!;
      // Its lease ends, and another process goes on.
      await folder.until(() => beganBesides(holder.by) > besides, other);
      if (blow % 2 === 0) holder.child.kill("SIGCONT");
      else workers.push(folder.spawn(built!.script));
    }
    const ends = await Promise.all(workers.map(({ gone }) => gone));
    const errors = workers.map((one) => one.errors()).join("");
    expect(
      ends.filter((end) => end !== 0 && end !== "SIGKILL"),
      errors,
    ).toEqual([]);

    // Throws where a step has two records.
    const { status, steps } = await folder.read();
    expect(status, errors).toBe("completed");
    expect(steps.size).toBe(SHAPE.rounds * (SHAPE.parallel + 1) + Math.floor(SHAPE.rounds / 3) * (1 + 3));
    const lines = folder.lines();
    const kept = new Set([...steps].map(([name, { outputs }]) => `${name} ${String(outputs?.["proof"] ?? outputs?.["input_value"])}`));
    expect(listStored(lines).filter((step) => !kept.has(step))).toEqual([]);
    // Who slept past its lease may begin what others have done, and learns at its next commit that it does not count: a service tells by the key.
    expect(findUnsteadyKeys(lines)).toEqual([]);
  },
);
