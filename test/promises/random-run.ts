import { expect } from "vitest";
import { isWorkflowError, WorkflowError, type Executor, type Pause, type Run, type RunResult, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore } from "wavepoint/testing";
import type { Chance } from "../support/seeded.ts";
import { answerFor, comparable, type World } from "./random-run-world.ts";

const STEPS = 45;
/** After so many steps all that is listed is read, which takes longer than the steps. */
const LOOK_AFTER = 5;

/** What may be refused because of what happened before. */
const FAIR: ReadonlySet<string> = new Set([
  "CHECKPOINT_PRUNED",
  "CHECKPOINT_NOT_FOUND",
  "CHECKPOINT_STALE",
  "PAUSE_ALREADY_ANSWERED",
  "RUN_TRANSFERRED",
  "RUN_EXISTS",
  "RUN_NOT_FOUND",
  "DEFINITION_MISMATCH",
]);

/** One run, and those made from it, as they move between stores. */
export class RandomRun {
  readonly trace: string[] = [];
  /** Whether a run that was only answered gave the same. */
  isCompared = false;
  readonly #world: World;
  readonly #chance: Chance;
  #at = 0;
  #definition = 0;
  #executor: Executor;
  #run!: Run;

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
    this.#executor = this.#open();
  }

  async play(): Promise<void> {
    this.#run = await this.#executor.start("outer");
    for (let step = 0; step < STEPS; step++) {
      // Other work on the thread has its turn.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const result = await this.#run.resume();
      if (result.status !== "paused") break;
      await this.#move(result).catch((error: unknown) => this.#assertFair(error));
      if (step % LOOK_AFTER === 0) await this.#assertWhole();
    }
    await this.#assertWhole();
    await this.#finish();
  }

  /** Where it stands, for a message about one that hangs. */
  async report(): Promise<string> {
    const { host } = this.#world;
    const stored = await Promise.all(this.#world.places.map(async ({ store }) => (await store().runs({ limit: 500 })).items));
    return JSON.stringify({ view: this.#run.getSnapshot(), place: this.#at, sleeping: host.sleeping, now: host.now(), stored }, null, 1);
  }

  #say(what: string): void {
    this.trace.push(what);
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all[this.#chance.between(0, all.length - 1)];
  }

  #word(): string {
    return `v${this.#chance.between(0, 3)}`;
  }

  #open(wrap: (store: Store) => Store = (store) => store): Executor {
    const { store, policy } = this.#world.places[this.#at]!;
    return this.#world.executor(wrap(store()), this.#definition, policy);
  }

  #assertFair(error: unknown): void {
    if (!isWorkflowError(error) || !FAIR.has(error.code)) throw error;
    this.#say(`(${error.code})`);
  }

  async #move({ pauses }: Extract<RunResult, { readonly status: "paused" }>): Promise<void> {
    const run = this.#run;
    const draw = this.#chance.between(0, 24);
    if (draw < 9) return this.#answer(this.#pick(pauses)!);
    if (draw < 11) return this.#back();
    if (draw < 13) return this.#revise();
    if (draw < 14) return this.#reopen();
    if (draw < 16) return this.#transfer();
    if (draw < 18) return this.#fork();
    if (draw < 19) return this.#copy(pauses[0]!);
    if (draw < 20) return this.#rotate();
    if (draw < 21) return this.#redefine();
    if (draw < 22) return this.#cancel();
    if (draw < 23) return this.#clear(run);
    return this.#crash(this.#pick(pauses)!);
  }

  async #answer(pause: Pause): Promise<void> {
    const word = this.#word();
    this.#say(`answer ${pause.path.join("/")}=${word}`);
    const result = await this.#run.answer(pause.id, await answerFor(this.#run, pause, word));
    if (result.status === "failure") throw new Error(`The answer was refused: ${JSON.stringify(result.error)}`);
  }

  /** While a run executes, retention may remove what was just listed. */
  async #follow(run: Run): Promise<void> {
    this.#run = run;
    await run.settled();
  }

  async #back(): Promise<void> {
    this.#say("back");
    assertTaken(await this.#run.back());
  }

  async #revise(): Promise<void> {
    const answered = (await this.#run.answers()).filter(({ status, pause, schema }) => status === "answered" && pause && schema);
    const item = this.#pick(answered.filter(({ schema }) => schema!.properties?.["outcome"] === undefined));
    if (!item) return;
    const word = this.#word();
    this.#say(`revise ${item.path.join("/")}=${word}`);
    const answer = await answerFor(this.#run, { type: item.type, schema: item.schema! }, word);
    await this.#run.previewRevise(item.pause!, answer);
    assertTaken(await this.#run.revise(item.pause!, answer));
  }

  async #reopen(): Promise<void> {
    this.#say("reopen");
    await this.#executor.close();
    this.#executor = this.#open();
    this.#run = await this.#executor.open(this.#run.id);
  }

  async #transfer(): Promise<void> {
    const to = this.#chance.between(0, this.#world.places.length - 1);
    this.#say(`transfer ${this.#at}->${to}`);
    const id = this.#run.id;
    await this.#dying(({ runs }) => runs.transfer(id, { to: `place ${to}`, drafts: true }));
    const file = await this.#executor.runs.transfer(id, { to: `place ${to}`, drafts: true });
    const again = await this.#executor.runs.transfer(id, { to: `place ${to}`, drafts: true });
    assertSame(again, file);
    await this.#executor.close();
    this.#at = to;
    this.#executor = this.#open();
    await this.#dying(({ runs }) => runs.import(file, { accept: true }));
    this.#run = await this.#executor.runs.import(file, { accept: true });
  }

  /** In half of the cases the operation first runs on a store that breaks at some write. */
  async #dying(attempt: (executor: Executor) => Promise<unknown>): Promise<void> {
    if (this.#chance.between(0, 1) === 0) return;
    await this.#executor.close();
    const dying = this.#open((store) => this.#breaking(store));
    await attempt(dying).catch((error: unknown) => this.#assertBroken(error));
    await dying.close().catch(() => {});
    this.#executor = this.#open();
  }

  #breaking(store: Store): Store {
    const write = this.#chance.between(1, 9);
    const when = this.#pick(["before", "after"] as const)!;
    this.#say(`break ${when} write ${write}`);
    return faultyStore(store, failAt(write, { times: "forever", when }));
  }

  #assertBroken(error: unknown): void {
    if (!isWorkflowError(error) || !error.code.startsWith("STORE_")) this.#assertFair(error);
  }

  async #fork(): Promise<void> {
    const { items } = await this.#executor.checkpoints.list({ run: this.#run.id, limit: 100 });
    const checkpoint = this.#pick(items);
    if (!checkpoint) return;
    const latest = this.#chance.between(0, 3) === 0;
    this.#say(`fork ${checkpoint.kind} ${checkpoint.id.split(".").at(-1)}${latest ? " latest" : ""}`);
    await this.#follow(await this.#executor.fork(checkpoint.id, latest ? { definition: "latest" } : {}));
  }

  /** An exported copy stands as its original does, drafts included. */
  async #copy(pause: Pause): Promise<void> {
    this.#say("copy");
    await this.#run.saveDraft(pause.id, this.#word());
    const file = await this.#executor.runs.export(this.#run.id, { drafts: true });
    const copy = await this.#world.executor(memoryStore(), this.#definition).runs.import(file, { accept: true });
    const drafts = (run: Run) => run.getSnapshot().pauses.map(({ id, draft }) => [id, draft]);
    assertSame(drafts(copy), drafts(this.#run));
    assertSame(comparable(await copy.state()), comparable(await this.#run.state()));
    // What a fork shares with another run may have been asked in runs that the other one called; those do not go along.
    const answers = async (run: Run) => (await run.answers()).map(({ path, answer }) => comparable({ path, answer }));
    const known = await answers(this.#run);
    assertSame(
      (await answers(copy)).filter((answer) => !known.includes(answer)),
      [],
    );
  }

  async #rotate(): Promise<void> {
    this.#say("rotate");
    await this.#executor.close();
    await this.#world.places[this.#at]!.rotate();
    this.#executor = this.#open();
    this.#run = await this.#executor.open(this.#run.id);
  }

  async #redefine(): Promise<void> {
    this.#definition = 1 - this.#definition;
    await this.#reopen();
    this.#say(`move to ${this.#definition}`);
    await this.#run.resume({ definition: "latest" });
  }

  /** What was cancelled stays so, and its past can still be forked. */
  async #cancel(): Promise<void> {
    const old = this.#run;
    await this.#fork();
    if (this.#run === old) return;
    this.#say("cancel the old one");
    await old.cancel();
    assertSame((await old.resume()).error?.code, "RUN_CANCELLED");
  }

  /** Deletes another run or a checkpoint of this one, or cleans up. */
  async #clear(run: Run): Promise<void> {
    const { runs, checkpoints } = this.#executor;
    const deed = this.#chance.between(0, 2);
    if (deed === 0) {
      const others = (await runs.list({ topLevel: true, limit: 100 })).items.filter(({ id }) => id !== run.id);
      const other = this.#pick(others);
      this.#say(`delete ${other?.id.slice(-4)}`);
      if (other) await runs.delete(other.id);
    } else if (deed === 1) {
      const checkpoint = this.#pick((await checkpoints.list({ run: run.id, kind: "wave", limit: 100 })).items);
      this.#say(`delete checkpoint ${checkpoint?.id.split(".").at(-1)}`);
      if (checkpoint) await checkpoints.delete(checkpoint.id);
    } else {
      this.#say("cleanup");
      await this.#executor.cleanup({ ttlMs: 1, maxPerWorkflow: 1 });
    }
  }

  /** The store breaks at some write during an operation; another process goes on with what it holds. */
  async #crash(pause: Pause): Promise<void> {
    const id = this.#run.id;
    await this.#executor.close();
    this.#executor = this.#open((store) => this.#breaking(store));
    const origin = this.#at;
    try {
      this.#run = await this.#executor.open(id);
      const draw = this.#chance.between(0, 4);
      if (draw < 2) await this.#answer(pause);
      else if (draw === 2) await this.#revise();
      else if (draw === 3) await this.#back();
      else await this.#fork();
      await this.#run.settled();
    } catch (error) {
      this.#assertBroken(error);
    }
    await this.#executor.close().catch(() => {});
    this.#at = origin;
    this.#executor = this.#open();
    this.#run = await this.#executor.open(id);
  }

  /** All that is listed anywhere can be read. */
  async #assertWhole(): Promise<void> {
    for (const { store, policy } of this.#world.places) {
      assertSame((await store().runs({ limit: 500 })).damaged ?? [], []);
      const reader = this.#world.executor(store(), this.#definition, policy);
      for (const { id } of (await reader.checkpoints.list({ limit: 500 })).items) await reader.checkpoints.get(id);
      await reader.close();
    }
  }

  /** The run ends, and gives what a run gives that was answered so from the start. */
  async #finish(): Promise<void> {
    const run = this.#run;
    this.#say("finish");
    let result = await run.resume();
    for (let left = 60; result.status === "paused"; left--) {
      if (left === 0) throw new Error("The questions do not end.");
      const [pause] = result.pauses;
      result = await run.answer(pause!.id, await answerFor(run, pause!, "w"));
    }
    assertSame([result.status, result.error], ["success", undefined]);
    for (const [key, count] of this.#world.effects) assertSame(`${key}: ${count}`, `${key}: 1`);
    const answers = new Map((await run.answers()).map(({ path, answer }) => [path.join("/"), answer]));
    const definition = "late" in result.outputs! ? 1 : 0;
    const fresh = await this.#world.executor(memoryStore(), definition).start("outer");
    let other = await fresh.settled();
    while (other.status === "paused") {
      const { id, path } = other.pauses[0]!;
      const answer = answers.get(path.join("/"));
      // The run that was asked has moved or was deleted, and its answers with it.
      if (answer === undefined) break;
      other = await fresh.answer(id, answer);
    }
    this.isCompared = other.status === "success";
    if (this.isCompared) assertSame(comparable(result.outputs), comparable(other.outputs));
    await this.#executor.close();
    const kept = await this.#open().open(run.id);
    assertSame(comparable(kept.getSnapshot().outputs), comparable(result.outputs));
  }
}

/** Throws what a call was refused with. */
function assertTaken({ error }: RunResult): void {
  if (error) throw new WorkflowError(error.code, error.message, error);
}

function assertSame(found: unknown, wanted: unknown): void {
  expect(found).toEqual(wanted);
}
