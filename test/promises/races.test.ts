import { afterEach, describe, expect, test } from "vitest";
import {
  createExecutor,
  isWorkflowError,
  type Commit,
  type Executor,
  type Run,
  type RunResult,
  type Store,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { gatedStore, type Done } from "./gated-store.ts";
import type { Place } from "./place.ts";
import { PLACES } from "./places.ts";

const WORKFLOW: Workflow = {
  name: "race",
  blocks: [
    { id: "first", type: "GetInput", inputs: { prompt: "First?" } },
    { id: "second", type: "GetInput", inputs: { prompt: "Second?" }, dependsOn: ["first"] },
    { id: "after", type: "EchoBlock", inputs: { message: "${blocks.second.input_value}" }, dependsOn: ["second"] },
  ],
  outputs: { said: "${blocks.after.echoed}" },
};

/** A caller as a tab or process is one: an executor of its own, with the run opened in it. */
interface Caller {
  readonly name: string;
  readonly executor: Executor;
  readonly run: Run;
  readonly pauses: { readonly first: string; readonly second: string };
}

/** How a call ended: with what it gave, or with the code it was refused with. */
type Report = { readonly gave: unknown } | { readonly refused: string };

/** What became of a race: all that was written, in order. */
interface Outcome {
  readonly run: string;
  readonly ledger: readonly Done[];
}

interface Operation {
  call(caller: Caller): Promise<unknown>;
  /** Whether it was recorded. */
  isRecorded(name: string, outcome: Outcome): boolean;
  /** Whether the report says that it was; nothing where the report says neither. */
  saysSo(name: string, report: Report): boolean | undefined;
}

const wrote = ({ ledger, run }: Outcome, name: string, test: (entry: { readonly [key: string]: unknown }) => boolean): boolean =>
  ledger.some((done) => done.by === name && done.run === run && done.entries.some((text) => test(JSON.parse(text) as never)));
/** The end of the run, as any caller sees it, without a word about the request. */
const OUTCOMES = new Set(["RUN_CANCELLED"]);

function saysOfAnswer(_: string, report: Report): boolean | undefined {
  // There is no journal any more that could say anything.
  if ("refused" in report) return report.refused === "RUN_NOT_FOUND" ? undefined : false;
  const { status, error } = report.gave as RunResult;
  if (status !== "failure") return true;
  return OUTCOMES.has(error.code) ? undefined : false;
}

const answered = (name: string, outcome: Outcome): boolean =>
  wrote(outcome, name, ({ type, response }) => type === "answered" && response === name);
/** Of a question that is open again it is an answer. */
const revisedBy = (name: string, outcome: Outcome): boolean =>
  wrote(outcome, name, ({ type, response }) => (type === "revised" || type === "answered") && response === name);
const openedBy = (name: string, outcome: Outcome): boolean =>
  wrote(outcome, name, ({ type, response }) => type === "revised" && response === undefined);
/** Where a question is open already, going back to it writes nothing. */
const saysOfBack = (name: string, report: Report): boolean | undefined => (saysOfAnswer(name, report) === false ? false : undefined);
const madeRun = (name: string, { ledger, run }: Outcome): boolean => ledger.some((done) => done.by === name && done.run !== run);
const gave = (_: string, report: Report): boolean => "gave" in report;

const OPERATIONS: { readonly [name: string]: Operation } = {
  answer: { call: ({ run, name, pauses }) => run.answer(pauses.second, name), isRecorded: answered, saysSo: saysOfAnswer },
  resume: { call: ({ executor, name, pauses }) => executor.resume(pauses.second, name), isRecorded: answered, saysSo: saysOfAnswer },
  cancel: {
    call: ({ run, name }) => run.cancel({ reason: name }),
    isRecorded: (name, outcome) =>
      wrote(
        outcome,
        name,
        ({ type, status, error }) => type === "finished" && status === "cancelled" && JSON.stringify(error).includes(name),
      ),
    saysSo: (name, report) => {
      if ("refused" in report) return false;
      const { status, error } = report.gave as RunResult;
      return status === "failure" && error.code === "RUN_CANCELLED" && error.message.includes(name);
    },
  },
  transfer: {
    call: ({ executor, run, name }) => executor.runs.transfer(run.id, { to: name }),
    isRecorded: (name, outcome) => wrote(outcome, name, ({ type, to }) => type === "transferred" && to === name),
    saysSo: gave,
  },
  revise: { call: ({ run, name, pauses }) => run.revise(pauses.first, name), isRecorded: revisedBy, saysSo: saysOfAnswer },
  back: { call: ({ run }) => run.back(), isRecorded: openedBy, saysSo: saysOfBack },
  fork: { call: ({ executor, pauses }) => executor.fork(pauses.second), isRecorded: madeRun, saysSo: gave },
  delete: {
    call: ({ executor, run }) => executor.runs.delete(run.id),
    isRecorded: (name, { ledger, run }) => ledger.some((done) => done.by === name && done.run === run && done.deleted === true),
    saysSo: (_, report) => "gave" in report,
  },
};

const isLong = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined;
let seed = 0;

function executorOn(store: Store, workflow: Workflow = WORKFLOW): Executor {
  return createExecutor({ store, workflows: [workflow], host: fakeHost({ seed: (seed += 1), autoAdvance: true }) });
}

/** A run that waits at its second question. */
async function prepare(place: Place): Promise<{ readonly run: string; readonly pauses: Caller["pauses"] }> {
  const store = place.open();
  const executor = executorOn(store);
  const run = await executor.start("race");
  await run.settled();
  const first = run.getSnapshot().pauses[0]!.id;
  await run.answer(first, "before");
  const second = run.getSnapshot().pauses[0]!.id;
  await executor.close();
  await store.close();
  return { run: run.id, pauses: { first, second } };
}

async function reportOf(call: Promise<unknown>): Promise<Report> {
  try {
    return { gave: await call };
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    return { refused: error.code };
  }
}

describe.each(PLACES)("D24: what a caller learns about a race agrees with the journal: %s", (kind, make) => {
  /** Whether the second caller is held up too; where writes take real time, it goes as far as it can. */
  const isThorough = kind === "memory" || isLong;
  const closings: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closings.splice(0).toReversed()) await close();
  });

  /**
   * Lets one call stop at a moment, another one go to a moment of its own or as far as it can, then the first one go on, then the other. Gives how
   * many of the two moments were reached.
   */
  async function race(one: string, other: string, [moment, answer]: readonly [number, number]): Promise<number> {
    const place = await make();
    closings.push(() => place.remove());
    const { run, pauses } = await prepare(place);
    const ledger: Done[] = [];
    const join = async (name: string, at: number) => {
      const inner = place.open();
      const gate = gatedStore(inner, name, { ledger, moment: at });
      const executor = executorOn(gate.store);
      closings.push(
        () => inner.close(),
        () => executor.close(),
      );
      return { gate, caller: { name, executor, pauses, run: await executor.open(run) } };
    };
    const ours = await join("Ada", moment);
    const theirs = await join("Bo", answer);
    const first = reportOf(OPERATIONS[one]!.call(ours.caller));
    const reached = await Promise.race([ours.gate.reached.then(() => true), first.then(() => false)]);
    const second = reportOf(OPERATIONS[other]!.call(theirs.caller));
    const met = await Promise.race([theirs.gate.reached.then(() => true), second.then(() => false), theirs.gate.stuck.then(() => false)]);
    ours.gate.open();
    await Promise.race([first, ours.gate.stuck]);
    theirs.gate.open();
    const reports = { Ada: await first, Bo: await second };
    const outcome = { run, ledger };
    for (const [name, operation] of [
      ["Ada", one],
      ["Bo", other],
    ] as const) {
      const { isRecorded, saysSo } = OPERATIONS[operation]!;
      const report = reports[name];
      const scene = `${name}'s ${operation} (${JSON.stringify(report, replaceRuns).slice(0, 300)}) with ${one} held up at ${moment} by ${other} at ${answer}`;
      expect(report, scene).not.toEqual({ refused: "STORE_CONFLICT" });
      const says = saysSo(name, report);
      if (says !== undefined) expect(says, scene).toBe(isRecorded(name, outcome));
    }
    await checkWhatIsLeft(place, outcome, reports);
    return Number(reached) + Number(reached && met);
  }

  async function checkWhatIsLeft(place: Place, { run, ledger }: Outcome, reports: { readonly [name: string]: Report }): Promise<void> {
    const store = place.open();
    closings.push(() => store.close());
    const head = await store.head(run);
    const isDeleted = ledger.some((done) => done.deleted && done.run === run);
    expect(head === undefined).toBe(isDeleted);
    for (const done of ledger) if (done.run !== run) expect(await store.head(done.run)).toBeDefined();
    if (head?.transferredTo !== undefined) {
      expect(head.status).not.toBe("running");
      const journal = await store.read(run);
      const report = reports[head.transferredTo]!;
      const file = (report as { readonly gave: string }).gave;
      for (const text of journal) expect(file).toContain(text);
      await expect(executorOn(memoryStore()).runs.import(file)).resolves.toBeDefined();
    }
  }

  const names = Object.keys(OPERATIONS);
  // What the callers do is the same on each store: the short tier tries all pairs in memory, and each call once in either part elsewhere.
  const pairs = names.flatMap((one, i) => names.map((other, j) => ({ one, other, isTried: isThorough || (i * 3 + j) % 4 === 0 })));
  test.each(pairs.filter(({ isTried }) => isTried))("$one, held up by $other", async ({ one, other }) => {
    let races = 0;
    for (let moment = 0, met = 2; met > 0; moment += 1) {
      met = 2;
      for (let answer = isThorough ? 0 : -1; met === 2; answer += 1, races += 1) {
        met = await race(one, other, [moment, answer]);
        if (!isThorough) met = Math.min(met, 1);
      }
    }
    expect(races).toBeGreaterThan(1);
  });
});

const MANY = 20;
const QUESTIONS: Workflow = {
  name: "questions",
  blocks: Array.from({ length: MANY }, (_, i) => ({ id: `q${i}`, type: "GetInput", inputs: { prompt: `${i}?` } })),
};

describe.each(PLACES)("D24: who is outrun again and again is not refused: %s", (_, make) => {
  test.each([
    ["an answer", ({ run, pause }: { run: Run; pause: string }) => run.answer(pause, "at last"), "at last"],
    ["a cancel", ({ run }: { run: Run }) => run.cancel({ reason: "at last" }), "at last"],
  ] as const)("%s", async (_what, call, words) => {
    const place = await make();
    const theirs = place.open();
    const other = await executorOn(theirs, QUESTIONS).start("questions");
    await other.settled();
    const pauses = other.getSnapshot().pauses.map(({ id }) => id);
    const ours = place.open();
    // Each time before this one writes, the other one has written just then.
    const before = async (): Promise<void> => {
      if (pauses.length > 1) await other.answer(pauses.shift()!, "first");
    };
    const outrun = new Proxy(ours, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (name === "commit") return (commit: Commit) => before().then(() => target.commit(commit));
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    const executor = executorOn(outrun, QUESTIONS);
    const run = await executor.open(other.id);
    const result = await call({ run, pause: pauses.at(-1)! });
    expect((result.error ?? { code: "none" }).code).not.toBe("STORE_CONFLICT");
    const said = (await theirs.read(other.id)).filter((text) => text.includes(words) && /^{"type":"(answered|finished)"/.test(text));
    expect(said).toHaveLength(1);
    await executor.close();
    await ours.close();
    await theirs.close();
    await place.remove();
  });
});

/** Runs hold all of the engine. */
function replaceRuns(_: string, value: unknown): unknown {
  return value !== null && typeof value === "object" && "getSnapshot" in value ? "a run" : value;
}
