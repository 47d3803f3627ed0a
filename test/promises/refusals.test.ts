import { describe, expect, test } from "vitest";
import { isWorkflowError, type ErrorCode, type Executor, type Run, type Value } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { fillIn } from "../support/fill-in.ts";
import { pauseOf } from "../support/pause-of.ts";
import { PLACES } from "./places.ts";
import { storedRuns, watchBlobs } from "./stored-bytes.ts";
import { ANSWERS, TRIP, tripExecutor } from "./trip.ts";

interface Bench {
  readonly executor: Executor;
  /** Waits for `food` and `lodging/hotel`. */
  readonly run: Run;
  readonly ended: Run;
  /** What `run` is as a file. */
  readonly file: string;
}

const open = ({ run }: Bench): string => run.getSnapshot().pauses[0]!.id;
const unknown = "pause_nobody.0";

const REFUSALS: readonly (readonly [what: string, code: ErrorCode, attempt: (bench: Bench) => Promise<unknown>])[] = [
  ["an answer that does not fit", "RESPONSE_INVALID", (bench) => bench.run.answer(open(bench), { no: "text" })],
  ["an answer that is too long", "RESPONSE_INVALID", (bench) => bench.run.answer(open(bench), "x".repeat(70_000))],
  ["another answer to what was answered", "PAUSE_ALREADY_ANSWERED", async ({ run }) => run.answer(await pauseOf(run, "name"), "Eve")],
  ["an answer to nothing", "CHECKPOINT_NOT_FOUND", ({ run }) => run.answer(unknown, "x")],
  ["an answer to a run that has ended", "PAUSE_ALREADY_ANSWERED", async ({ ended }) => ended.answer(await pauseOf(ended, "name"), "Eve")],
  ["declining what was answered", "PAUSE_ALREADY_ANSWERED", async ({ run }) => run.decline(await pauseOf(run, "name"))],
  ["a draft that is too long", "LIMIT_EXCEEDED", (bench) => bench.run.saveDraft(open(bench), "x".repeat(70_000))],
  ["a draft that cannot be kept", "VALUE_UNSERIALIZABLE", (bench) => bench.run.saveDraft(open(bench), (() => 0) as unknown as Value)],
  ["a draft of what was answered", "PAUSE_ALREADY_ANSWERED", async ({ run }) => run.saveDraft(await pauseOf(run, "name"), "x")],
  ["wrong inputs", "INPUT_INVALID", ({ executor }) => executor.start("trip", { city: 7 })],
  ["an unknown workflow", "WORKFLOW_NOT_FOUND", ({ executor }) => executor.start("nothing")],
  ["an id that is taken", "RUN_EXISTS", ({ executor }) => executor.start("trip", { city: "Rome" }, { id: "taken" })],
  [
    "another definition of a name",
    "WORKFLOW_DUPLICATE",
    ({ executor }) => executor.load({ ...TRIP, blocks: TRIP.blocks.slice(0, 1), outputs: {} }),
  ],
  ["a checkpoint that is not the newest", "CHECKPOINT_STALE", ({ executor, run }) => executor.resume(`chk_${run.id.slice(4)}.0`)],
  ["a fork from nowhere", "CHECKPOINT_NOT_FOUND", ({ executor }) => executor.fork(unknown)],
  ["a fork with wrong inputs", "INPUT_INVALID", (bench) => bench.executor.fork(open(bench), { inputs: { city: 7 } })],
  [
    "a fork with a wrong answer",
    "RESPONSE_INVALID",
    (bench) => bench.executor.fork(open(bench), { answers: { [open(bench)]: { no: "text" } } }),
  ],
  ["a revision with a wrong answer", "RESPONSE_INVALID", async ({ run }) => run.revise(await pauseOf(run, "name"), { no: "text" })],
  ["a revision of nothing", "CHECKPOINT_NOT_FOUND", ({ run }) => run.revise(unknown, "x")],
  ["a file that is cut short", "RUN_FILE_INVALID", ({ executor, file }) => executor.runs.import(file.slice(0, -2))],
  ["a file that was changed", "RUN_FILE_INVALID", ({ executor, file }) => executor.runs.import(file.replace("Ada", "Eve"))],
  [
    "a file of a newer version",
    "SCHEMA_VERSION_UNSUPPORTED",
    ({ executor, file }) => executor.runs.import(file.replace('"version":1', '"version":9')),
  ],
  ["a superstep that has not been", "CHECKPOINT_NOT_FOUND", ({ run }) => run.state({ superstep: 99 })],
  ["a run that is not there", "RUN_NOT_FOUND", ({ executor }) => executor.open("run_nobody")],
];

/** What an attempt is refused with, thrown or told. */
async function refusal(attempt: Promise<unknown>): Promise<unknown> {
  try {
    const result = (await attempt) as { readonly error?: { readonly code: string } } | undefined;
    return result?.error?.code ?? "nothing";
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    return error.code;
  }
}

describe.each(PLACES)("S12: a refusal changes no stored byte: %s", (_, make) => {
  test.each(["plain", "sealed"])("%s", async (form) => {
    const place = await make();
    const { store: inner, blobs } = watchBlobs(place.open());
    const store = form === "plain" ? inner : await encryptedStore(inner, { key: new Uint8Array(32).fill(7) });
    const starter = tripExecutor(store);
    const ended = await starter.start("trip", { city: "Porto" }, { id: "taken" });
    await fillIn(ended, ANSWERS);
    const run = await starter.start("trip", { city: "Rome" });
    const asked = await run.settled();
    await run.answer(asked.pauses![0]!.id, "Ada");
    await run.saveDraft(run.getSnapshot().pauses[0]!.id, "Gra");
    const file = await starter.runs.export(run.id);
    const before = await storedRuns(inner);
    const known = [...blobs];
    expect(before.length).toBeGreaterThan(3);
    for (const [what, code, attempt] of REFUSALS) {
      const executor = tripExecutor(store);
      const bench = { executor, run: await executor.open(run.id), ended: await executor.open(ended.id), file };
      expect([what, await refusal(attempt(bench))]).toEqual([what, code]);
      expect([what, await storedRuns(inner), [...blobs]]).toEqual([what, before, known]);
    }
    await store.close();
    await place.remove();
  });
});
